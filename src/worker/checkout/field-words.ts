/**
 * Words by which a field's label, placeholder or name states its purpose. Languages: English, German, French, Spanish,
 * Italian, Dutch, Portuguese, Polish, Czech, Swedish, Danish, Norwegian, Finnish, Japanese, Chinese and Korean.
 */
import type { FieldPurpose } from "../../checkout/worker-protocol/recipe.ts";

/** Purposes of fields that no recipe names. */
export const PERSONAL_PURPOSES = [
  /** House number in a field of its own, and its addition, such as `A`. */
  ...["house_number", "house_number_suffix"],
  /** Country prefix of the telephone number. */
  "phone_country",
  ...["salutation", "vat_id", "birth_date", "delivery_note"],
  /** List of card brands. */
  "card_brand",
  /** National identity and tax numbers of natural persons. */
  "identity_number",
] as const;
export type Purpose = FieldPurpose | (typeof PERSONAL_PURPOSES)[number];

/** The first match decides. */
export const PURPOSES_BY_WORDS: readonly (readonly [Purpose, RegExp])[] = [
  [
    "card_brand",
    /card[ _-]?(?:type|brand|scheme)|type of (?:credit |debit |payment )?card|\bcc[ _-]?type|kartentyp|kartenart|type de carte|tipo de tarjeta|tipo (?:di|de) cart|kaarttype|korttyp|カード(?:の)?(?:種類|会社|ブランド)/i,
  ],
  [
    "card_security_code",
    /security code|secure code|\bcv[vc]2?\b|\bcsc\b|\bcid\b|card (?:verification|code)|prüfnummer|prüfziffer|sicherheitscode|kartenprüf|cryptogramme|code de sécurité|código de segur|codice di sicurezza|beveiligingscode|kod (?:zabezpieczaj|bezpiecze)|säkerhetskod|sikkerhedskode|sikkerhetskode|turvakoodi|セキュリティ|安全码/i,
  ],
  [
    "card_number",
    /card.?(?:number|no\b|num\b)|cardnumber|kartennummer|numéro de (?:la )?carte|número de (?:la )?tarjeta|número do cartão|numero (?:della )?carta|kaartnummer|numer karty|číslo karty|kortnummer|kortin numero|カード番号|卡号|카드 ?번호|^(?:[\dx•·*]{4}[ -]?){4}$/i,
  ],
  [
    "card_expiry_month",
    /(?:\b(?:exp|valid|gültig)\w*|card|cc)[^a-z]*(?:[a-z]+ )*?(?:month|monat|mois|mes|mese|maand)\b|exp_?month|expmonth|cc_?month|有効期限.?月/i,
  ],
  [
    "card_expiry_year",
    /(?:\b(?:exp|valid|gültig)\w*|card|cc)[^a-z]*(?:[a-z]+ )*?(?:year|jahr|année|año|anno|jaar)\b|exp_?year|expyear|cc_?year|有効期限.?年/i,
  ],
  [
    "card_expiry",
    /expir|exp\.? ?date|exp-date|valid (?:until|thru|through|to)|good thru|\bmm ?[/|-] ?(?:yy|jj|aa|rr)|ablauf|gültig bis|date d'expiration|caducidad|vencimiento|scadenza|validade|vervaldatum|data ważności|giltig(?:t|hets)|utgångsdatum|udløb|utløp|voimassa|有効期限|有效期|유효 ?기간/i,
  ],
  [
    "card_name",
    /name (?:as (?:it )?(?:appears |shown |is )?)?on (?:the |your )?card|card.?(?:holder|owner)|\bcc[ _-]?owner|cardname|ccname|cc-name|karteninhaber|name auf der karte|titulaire|titular|intestatario|kaarthouder|posiadacz|kortinnehavare|kortholder|カード名義|持卡人/i,
  ],
  [
    "identity_number",
    /\bdni\b|\bnie\b|codice fiscale|\bcpf\b|\bssn\b|social security|personnummer|\bpesel\b|\bbsn\b|passport|ausweisnummer|national id|identi(?:ty|fication) (?:card|number)|身分証|身份证/i,
  ],
  [
    "birth_date",
    /birth|\bdob\b|\bbday\b|geburt|naissance|nacimiento|nascimento|nascita|geboorte|urodzenia|narození|födelse|fødsel|syntymä|生年月日|誕生日|出生|생년월일/i,
  ],
  [
    "vat_id",
    /\bvat\b|\bust-?id|umsatzsteuer|\btva\b|\bnif\b|\bcif\b|partita iva|\bp\.? ?iva\b|\bbtw\b|\bnip\b|\bdič\b|tax (?:id|number)|steuernummer|momsnummer|\beori\b/i,
  ],
  [
    "delivery_note",
    /(?:order|delivery|shipping|courier|driver|customer|special)[ _-](?:note|comment|instruction|message|request)|^(?:notes?|comments?|message)\b|bemerkung|anmerkung|lieferhinweis|kommentar|commentaire|instructions? (?:de livraison|pour)|comentario|observaciones|observações|note (?:sull|per)|istruzioni|opmerking|uwagi|poznámka|meddelande|備考|备注/i,
  ],
  ["email", /e-?mail|courriel|correo|e-?post\b|sähköposti|メール|邮箱|电子邮件|이메일/i],
  [
    "phone_country",
    /dial(?:l?ing)?[ _-]?code|calling[ _-]?code|(?:phone|tel\w*|mobile)[ _-]?(?:country[ _-]?)?(?:code|prefix)|country (?:calling|dialing|phone) code|vorwahl|indicatif|prefijo|prefisso|kierunkowy|landnummer|landskod|国番号/i,
  ],
  [
    "phone",
    /phone|\btel(?:e|\b|\.)|mobile|\bmobil\b|handy|téléphone|teléfono|telefono|telefoon|telemóvel|celular|komórk|puhelin|mobilnummer|contact (?:no\b|number)|電話|电话|手机|전화|휴대폰/i,
  ],
  [
    "postal_code",
    /post(?:al)?[ _-]?code|\bzip|\bpin ?code|eircode|postleitzahl|\bplz\b|code postal|código postal|\bcep\b|\bcap\b|kod pocztowy|\bpsč\b|postnummer|postnr|postinumero|郵便番号|邮编|邮政编码|우편 ?번호/i,
  ],
  [
    "country",
    /\bcountry|\bland\b|\bpays\b|\bpaís\b|\bpaese\b|\bkraj\b|\bzemě\b|\bmaa\b|国名|国家|국가|\bnation\b|\bnazione\b/i,
  ],
  [
    "province",
    /\bstate\b|province|provincia|\bregion\b|région|región|\bcounty\b|bundesland|\bkanton\b|prefecture|emirate|governorate|województwo|\bestado\b|\blän\b|都道府県|省份|\bzone\b/i,
  ],
  [
    "company",
    /company|organi[sz]ation|business name|\bfirma\b|firmenname|société|entreprise|empresa|azienda|ragione sociale|bedrijf|nazwa firmy|företag|virksomhed|yritys|会社|公司/i,
  ],
  [
    "house_number_suffix",
    /(?:house|huis|haus|street)[ -]?(?:number|nummer|nr)[ -]?(?:addition|suffix|ext|zusatz|toevoeging)|^(?:toevoeging|addition|zusatz|suffix)\b/i,
  ],
  [
    "house_number",
    /house[ _-]?(?:name )?(?:or |\/ ?)?(?:no\b|nr\b|num)|house ?number|street[ _-]?(?:no\b|nr\b|num)|building number|hausnummer|haus-?nr|huisnummer|huisnr|numéro (?:de (?:la )?)?(?:rue|voie|maison)|n° de (?:rue|voie)|(?:numero|n°|n\.) civico|\bcivico\b|número (?:exterior|de (?:la )?calle|da (?:casa|porta))|n(?:umer|r)\.? domu|číslo (?:domu|popisné)|husnummer|husnr|gatunummer|talon ?numero|^(?:n[°ºr]|nr|no|number|nummer|número|numero|numéro|numer)\.?[ *:]*$/i,
  ],
  [
    "address2",
    /(?:address ?(?:line ?)?|^line ?)2|addr(?:ess)?_?2|apartment|\bapt\b|suite|\bunit\b|\bflat\b|building|\bfloor\b|adresszusatz|zusätzliche adress|complément|appartement|bâtiment|étage|\bpiso\b|\binterno\b|\bscala\b|mieszkani|lokalu|lägenhet|建物|マンション/i,
  ],
  [
    "address1",
    /address|^line ?1\b|street|straße|strasse|straat|adresse|dirección|domicilio|\bcalle\b|indirizzo|\bvia\b|endereço|morada|\brua\b|\badres|\bulica\b|\bulice\b|\badresa\b|gatuadress|\bgata\b|\bgade\b|osoite|\bvoie\b|\brue\b|住所|番地|地址|주소/i,
  ],
  [
    "city",
    /\bcity\b|\btown\b|suburb|locality|\bort\b|wohnort|\bstadt\b|\bville\b|commune|ciudad|localidad|località|localité|población|cidade|città|comune|\bplaats\b|woonplaats|miasto|miejscowość|město|postort|poststed|^by\b|bynavn|kaupunki|postitoimipaikka|市区町村|城市|도시/i,
  ],
  [
    "full_name",
    /full ?name|(?:first|vor-?|voor-?|för-?|for-?) ?(?:name)? ?(?:and|und|en|och|og|&) ?(?:last|nach|achter|efter|etter)|nom (?:et|&) prénom|prénom (?:et|&) nom|nom complet|nombre completo|nombre y apellido|nome (?:e cognome|completo)|imię i nazwisko|jméno a příjmení|för- och efternamn|koko nimi/i,
  ],
  [
    "first_name",
    /first ?name|given ?name|forename|vorname|prénom|nombre$|nombre de pila|^nome$|primeiro nome|voorletters|voornaam|\bimię\b|křestní|^jméno|förnamn|fornavn|etunimi|^名$|名（|名前?（|名字/i,
  ],
  [
    "last_name",
    /last ?name|family ?name|surname|nachname|familienname|nom de famille|^nom[ *]*$|apellido|cognome|sobrenome|apelido|achternaam|nazwisko|příjmení|efternamn|efternavn|etternavn|sukunimi|姓/i,
  ],
  [
    "salutation",
    /salutation|\banrede\b|civilité|^title\b|\btitle\b|tratamiento|titolo|aanhef|geslacht|gender|geschlecht|\bsexe\b|\bsexo\b|zwrot grzecz|\btilltal\b|敬称|性別/i,
  ],
  [
    "full_name",
    /your name|^name\b|\bname$|^nom\b|recipient|empfänger|destinataire|destinatario|naam$|\bnamn$|\bnavn$|nimi$|氏名|お名前|姓名|이름|성함/i,
  ],
  ["first_name", /名$/],
];
