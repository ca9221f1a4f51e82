/** First-level divisions of countries, by code. */
export const STATES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  US: {
    ...{ AL: "Alabama", AK: "Alaska", AZ: "Arizona", AR: "Arkansas", CA: "California", CO: "Colorado" },
    ...{ CT: "Connecticut", DE: "Delaware", DC: "District of Columbia", FL: "Florida", GA: "Georgia", HI: "Hawaii" },
    ...{ ID: "Idaho", IL: "Illinois", IN: "Indiana", IA: "Iowa", KS: "Kansas", KY: "Kentucky", LA: "Louisiana" },
    ...{ ME: "Maine", MD: "Maryland", MA: "Massachusetts", MI: "Michigan", MN: "Minnesota", MS: "Mississippi" },
    ...{ MO: "Missouri", MT: "Montana", NE: "Nebraska", NV: "Nevada", NH: "New Hampshire", NJ: "New Jersey" },
    ...{ NM: "New Mexico", NY: "New York", NC: "North Carolina", ND: "North Dakota", OH: "Ohio", OK: "Oklahoma" },
    ...{ OR: "Oregon", PA: "Pennsylvania", RI: "Rhode Island", SC: "South Carolina", SD: "South Dakota" },
    ...{ TN: "Tennessee", TX: "Texas", UT: "Utah", VT: "Vermont", VA: "Virginia", WA: "Washington" },
    ...{ WV: "West Virginia", WI: "Wisconsin", WY: "Wyoming" },
  },
  CA: {
    ...{ AB: "Alberta", BC: "British Columbia", MB: "Manitoba", NB: "New Brunswick", NL: "Newfoundland and Labrador" },
    ...{ NS: "Nova Scotia", ON: "Ontario", PE: "Prince Edward Island", QC: "Quebec", SK: "Saskatchewan" },
    ...{ NT: "Northwest Territories", NU: "Nunavut", YT: "Yukon" },
  },
  AU: {
    ...{ ACT: "Australian Capital Territory", NSW: "New South Wales", NT: "Northern Territory", QLD: "Queensland" },
    ...{ SA: "South Australia", TAS: "Tasmania", VIC: "Victoria", WA: "Western Australia" },
  },
};

export const COUNTRIES: Readonly<Record<string, string>> = {
  ...{ AU: "Australia", AT: "Austria", BE: "Belgium", CA: "Canada", DK: "Denmark", FR: "France", DE: "Germany" },
  ...{ IE: "Ireland", IT: "Italy", NL: "Netherlands", ES: "Spain", CH: "Switzerland", GB: "United Kingdom" },
  US: "United States",
};
