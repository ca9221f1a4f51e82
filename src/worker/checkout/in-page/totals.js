// Reads one text per row with a total, including all amounts in the row. Runs in a merchant's document, which is untrusted.
(dom) => {
  const { clean, isShown, textOf, shadowRoots } = dom;
  const TOTAL =
    /\b(?:grand[ -]total|order total|total|amount (?:due|to pay|payable|paid|charged)|to pay|you pay|balance due|due (?:today|now)|gesamt(?:summe|betrag|preis)?|zu zahlen|endbetrag|rechnungsbetrag|zahlbetrag|montant|net [àa] payer|importe total|a pagar|totale|da pagare|totaal|te betalen|totalt|att betala|summa|i alt|razem|suma|do zap[łl]aty|celkem)\b|łącznie|yhteensä|összesen|k úhradě|合計|お支払い|ご請求|总计|總計|합계|итого|σύνολο/i;
  const NOT_A_TOTAL =
    /sub[ -]?tot|zwischen|sous|parcial|parziale|delsumm|saving|\bsave|spar|discount|rabatt|remise|descuento|sconto|korting|\btax|vat\b|mwst|items?\b|articles?\b|artikel|points|小計|per\b|\b(?:before|was|instead|original|regular|rrp|msrp|uvp|statt|vorher|avant|antes|prima)\b|instal+ments?|\b(?:monthly|months?|mensual\w*|mensile|raten?|cuotas|versements?|termijnen|delbetal\w*)\b|\b(?:klarna|afterpay|clearpay|affirm|sezzle|alma)\b|interest[ -]free|zinsfrei|sans frais/i;
  /** Words before an amount that is a threshold: `when your total is over £100.00`. */
  const THRESHOLD =
    /\b(?:over|above|exceeds?|more than|at least|minimum|min\.|spend|reach(?:es)?|ab|über|mindestens|plus de|dès|à partir de|supérieure? à|más de|superior(?:es)? a|a partir de|oltre|sopra|a partire da|superiore a|boven|vanaf|meer dan|powyżej|od|över|fra|over)\s+(?:einem |einer |un |une |of |von |de |an |a )?[^\d\s]{0,4}\s?\d/i;
  const MAX_SENTENCE_WORDS = 7;
  const LABEL_START =
    /^\W*(?:(?:your|the|order|final|dein\w*|ihr\w*|der|die|das|votre|le|la|el|su|tu|il|het|uw|je)\s+)*(?:order |grand |cart |basket )?(?:total|sum|gesamt|montant|importe|amount|razem|betrag)/i;
  /** Notes that a total may contain: the included tax and the number of items. */
  const NOTES =
    /\b(?:in[ck]l?\w*|with|mit|dont|iva incl\w*|tva incl\w*)\b.*?(?:\btax(?:es)?\b|\bvat\b|mwst|\biva\b|\btva\b|\bbtw\b|\bmoms\b)\.?|(?:\btax(?:es)?|\bvat|\bmwst|\biva|\btva|\bbtw|\bmoms)\b.*?(?:\bin[ck]l\w*|enthalten)|\d+ (?:items?|articles?|artikel|art[ií]culos?|articoli|produkt\w*)\b/gi;
  const SIGN = String.raw`\p{Sc}|円|元|zł|Kč|\b(?:Ft|lei|kr|Fr|[A-Z]{3})\b`;
  const MONEY = new RegExp(String.raw`(?:${SIGN})[\s.]*\d|\d\s*(?:${SIGN})|\d[.,]\d\d(?!\d)`, "u");
  const SIGN_WORDS = /\b(?:Ft|lei|kr|Fr|[A-Z]{1,3})\b|円|元|zł|Kč/gu;
  const MAX_ROW_LENGTH = 200;
  const MAX_ROWS = 200;

  const containsWords = (text) => /\p{L}/u.test(text.replace(SIGN_WORDS, ""));
  const isPrice = (text) => /\d/.test(text) && !containsWords(text);

  /** Whether a text names the row of a total. Sentences about totals, such as offers, do not. */
  function isTotalLabel(text) {
    if (!TOTAL.test(text) || THRESHOLD.test(text)) return false;
    const bare = text.replace(NOTES, "");
    if (NOT_A_TOTAL.test(bare)) return false;
    return LABEL_START.test(bare) || bare.split(/\s+/).filter(containsWords).length < MAX_SENTENCE_WORDS;
  }

  function totalRows() {
    const rows = [];
    for (const root of [document.body ?? document, ...shadowRoots]) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node && rows.length < MAX_ROWS; node = walker.nextNode()) {
        const place = node.parentElement;
        if (!place || !isTotalLabel(clean(node.data, 2 * MAX_ROW_LENGTH))) continue;
        if (place.closest("thead, option, script, style, noscript, a") || !isShown(place, true)) continue;
        const row = rowFrom(node);
        if (row !== "" && !THRESHOLD.test(row)) rows.push(row);
      }
    }
    return rows;
  }

  /** Returns the text from a total's label to the end of its row. The row may contain further amounts before the total. */
  function rowFrom(label) {
    const marked = textOf(label.parentElement.closest("tr, [role=row]"), 4 * MAX_ROW_LENGTH);
    if (marked.length <= 2 * MAX_ROW_LENGTH && MONEY.test(marked)) return marked;
    let row = "";
    for (let at = label, up = 0; at && at !== document.body && up < 5; at = at.parentElement, up += 1) {
      const own = textOf(at, 2 * MAX_ROW_LENGTH);
      if (own.length > MAX_ROW_LENGTH) break;
      const siblingTexts = siblingTextsOf(at, MONEY.test(own));
      const last = siblingTexts.findLastIndex(isPrice);
      if (last >= 0) row = [own, ...siblingTexts.slice(0, last + 1)].join(" ");
      else if (row === "" && MONEY.test(own)) row = own;
      else if (row === "" && siblingTexts.some((text) => MONEY.test(text))) row = [own, ...siblingTexts].join(" ");
      // A preceding sibling with an amount means that the parent contains other rows too.
      for (let before = at.previousSibling; before; before = before.previousSibling) {
        if (MONEY.test(textOf(before, 2 * MAX_ROW_LENGTH))) return row;
      }
    }
    return row;
  }

  /** Returns the texts of following siblings up to the label of the next row. */
  function siblingTextsOf(at, isPriced) {
    const siblingTexts = [];
    let hasMoney = isPriced;
    for (let next = at.nextSibling; next; next = next.nextSibling) {
      const text = textOf(next, 2 * MAX_ROW_LENGTH);
      if (text === "") continue;
      const isMoney = MONEY.test(text);
      if (text.length > MAX_ROW_LENGTH || next.localName === "dt" || (hasMoney && !isMoney && containsWords(text)))
        break;
      hasMoney ||= isMoney;
      siblingTexts.push(text);
    }
    return siblingTexts;
  }

  return totalRows();
};
