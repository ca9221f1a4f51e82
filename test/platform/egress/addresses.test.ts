import { expect, test } from "vitest";
import { addressKind, isAddressAllowed } from "../../../src/platform/egress/addresses.ts";

test.each([
  ["private", "10.1.2.3"],
  ["private", "172.16.0.1"],
  ["private", "172.31.255.255"],
  ["private", "192.168.1.1"],
  ["link-local", "169.254.1.1"],
  ["metadata", "169.254.169.254"],
  ["metadata of Azure", "168.63.129.16"],
  ["CGNAT", "100.64.0.1"],
  ["metadata of Alibaba, in CGNAT", "100.100.100.200"],
  ["metadata of Oracle", "192.0.0.192"],
  ["unspecified", "0.0.0.0"],
  ["this network", "0.1.2.3"],
  ["multicast", "224.0.0.1"],
  ["broadcast", "255.255.255.255"],
  ["reserved", "240.0.0.1"],
  ["documentation", "192.0.2.1"],
  ["documentation", "198.51.100.1"],
  ["documentation", "203.0.113.1"],
  ["benchmarking", "198.18.0.1"],
  ["6to4 relay", "192.88.99.1"],
  ["unspecified", "::"],
  ["unique-local", "fd00:ec2::254"],
  ["unique-local", "fc00::1"],
  ["link-local", "fe80::1"],
  ["site-local", "fec0::1"],
  ["multicast", "ff02::1"],
  ["documentation", "2001:db8::1"],
  ["documentation", "3fff::1"],
  ["mapped private", "::ffff:10.0.0.1"],
  ["mapped metadata", "::ffff:a9fe:a9fe"],
  ["IPv4-compatible loopback", "::127.0.0.1"],
  ["IPv4-compatible public", "::8.8.8.8"],
  ["IPv4-translated", "::ffff:0:127.0.0.1"],
  ["NAT64 of loopback", "64:ff9b::127.0.0.1"],
  ["NAT64 of private", "64:ff9b::10.0.0.1"],
  ["local-use NAT64", "64:ff9b:1::8.8.8.8"],
  ["6to4 of loopback", "2002:7f00:1::"],
  ["6to4 of private", "2002:a00:1::1"],
  ["Teredo", "2001:0:53aa:64c::1"],
  ["discard only", "100::1"],
  ["outside global unicast", "4000::1"],
  ["not an address", "example.com"],
])("%s: %s is reserved, even with allowLoopback", (_case, address) => {
  expect(addressKind(address)).toBe("reserved");
  expect(isAddressAllowed(address, true)).toBe(false);
});

test.each(["127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1"])("%s is loopback", (address) => {
  expect(isAddressAllowed(address, false)).toBe(false);
  expect(isAddressAllowed(address, true)).toBe(true);
});

test.each([
  "8.8.8.8",
  "172.32.0.1",
  "100.128.0.1",
  "2606:4700::1111",
  "::ffff:8.8.8.8",
  "64:ff9b::8.8.8.8",
  "2002:808:808::",
])("%s is public", (address) => {
  expect(isAddressAllowed(address, false)).toBe(true);
});
