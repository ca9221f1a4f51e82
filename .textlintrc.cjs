/** The language of Markdown: the terms of the code, and sentences that are read once. */
const { TERMS, termPattern } = require("./lint/terms.ts");

module.exports = {
  rules: {
    terminology: {
      defaultTerms: false,
      terms: TERMS.map((term) => [termPattern(term), term.write]),
    },
    "sentence-length": { max: 180 },
  },
};
