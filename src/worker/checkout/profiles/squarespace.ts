import type { Profile } from "../gate/profile.ts";

export const squarespace: Profile = {
  name: "Squarespace",
  source: "https://www.squarespace.com/robots.txt",
  permits: [
    { as: "tracker", path: "/api/census/RecordHit" },
    { as: "tracker", path: "/api/census/button-render" },
  ],
};
