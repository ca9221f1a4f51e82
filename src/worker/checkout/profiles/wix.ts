import type { Profile } from "../gate/profile.ts";

export const wix: Profile = {
  name: "Wix",
  source: "https://support.wix.com/en/article/cookies-and-your-wix-site",
  permits: [
    { as: "tracker", host: "frog.wix.com" },
    { as: "tracker", host: "panorama.wixapps.net" },
  ],
};
