/** Words of mail clients in 30 languages. */
export interface ReplyLanguage {
  readonly code: string;
  readonly wrote: string;
  /** Outlook's names of From, Sent, To and Subject. */
  readonly fields: readonly [string, string, string, string];
  readonly phone: string;
  readonly text: string;
  /** Outlook's name of the message replied to. */
  readonly original: string;
}

const ROWS: readonly string[] = [
  "en|wrote:|From|Sent|To|Subject|Sent from my iPhone|The parcel left today.|Original Message",
  "de|schrieb Agent:|Von|Gesendet|An|Betreff|Von meinem iPhone gesendet|Das Paket ging heute ab.|Ursprüngliche Nachricht",
  "fr|a écrit :|De|Envoyé|À|Objet|Envoyé de mon iPhone|Le colis est parti aujourd’hui.|Message d'origine",
  "es|escribió:|De|Enviado|Para|Asunto|Enviado desde mi iPhone|El paquete salió hoy.|Mensaje original",
  "it|ha scritto:|Da|Inviato|A|Oggetto|Inviato da iPhone|Il pacco è partito oggi.|Messaggio originale",
  "pt|escreveu:|De|Enviado|Para|Assunto|Enviado do meu iPhone|A encomenda saiu hoje.|Mensagem original",
  "nl|schreef:|Van|Verzonden|Aan|Onderwerp|Verstuurd vanaf mijn iPhone|Het pakket is vandaag vertrokken.|Oorspronkelijk bericht",
  "sv|skrev:|Från|Skickat|Till|Ämne|Skickat från min iPhone|Paketet skickades i dag.|Ursprungligt meddelande",
  "da|skrev:|Fra|Sendt|Til|Emne|Sendt fra min iPhone|Pakken blev sendt i dag.|Oprindelig meddelelse",
  "nb|skrev:|Fra|Sendt|Til|Emne|Sendt fra min iPhone|Pakken ble sendt i dag.|Opprinnelig melding",
  "fi|kirjoitti:|Lähettäjä|Lähetetty|Vastaanottaja|Aihe|Lähetetty iPhonesta|Paketti lähti tänään.|Alkuperäinen viesti",
  "pl|napisał(a):|Od|Wysłano|Do|Temat|Wysłane z iPhone'a|Paczka wyszła dzisiaj.|Wiadomość oryginalna",
  "cs|napsal:|Od|Odesláno|Komu|Předmět|Odesláno z iPhonu|Balík dnes odešel.|Původní zpráva",
  "sk|napísal:|Od|Odoslané|Komu|Predmet|Odoslané z iPhonu|Balík dnes odišiel.|Pôvodná správa",
  "hu|ezt írta:|Feladó|Elküldve|Címzett|Tárgy|Elküldve az iPhone-omról|A csomag ma elindult.|Eredeti üzenet",
  "ro|a scris:|De la|Trimis|Către|Subiect|Trimis de pe iPhone|Coletul a plecat astăzi.|Mesaj original",
  "bg|написа:|От|Изпратено|До|Тема|Изпратено от моя iPhone|Пратката тръгна днес.|Оригинално съобщение",
  "ru|пишет:|От|Отправлено|Кому|Тема|Отправлено с iPhone|Посылка ушла сегодня.|Исходное сообщение",
  "uk|пише:|Від|Надіслано|Кому|Тема|Надіслано з iPhone|Посилка вирушила сьогодні.|Вихідне повідомлення",
  "el|έγραψε:|Από|Στάλθηκε|Προς|Θέμα|Στάλθηκε από το iPhone μου|Το δέμα έφυγε σήμερα.|Αρχικό μήνυμα",
  "tr|şunu yazdı:|Kimden|Gönderildi|Kime|Konu|iPhone'umdan gönderildi|Paket bugün yola çıktı.|Özgün İleti",
  "he|כתב/ה:|מאת|נשלח|אל|נושא|נשלח מה-iPhone שלי|החבילה יצאה היום.|הודעה מקורית",
  "ar|كتب:|من|تم الإرسال|إلى|الموضوع|أُرسلت من الـ iPhone|غادر الطرد اليوم.|الرسالة الأصلية",
  "hi|ने लिखा:|प्रेषक|भेजा गया|प्रति|विषय|मेरे iPhone से भेजा गया|पार्सल आज निकल गया।|मूल संदेश",
  "th|เขียนว่า:|จาก|ส่ง|ถึง|หัวเรื่อง|ส่งจาก iPhone ของฉัน|พัสดุออกวันนี้|ข้อความต้นฉบับ",
  "vi|đã viết:|Từ|Đã gửi|Đến|Chủ đề|Đã gửi từ iPhone của tôi|Gói hàng đã đi hôm nay.|Thư gốc",
  "id|menulis:|Dari|Dikirim|Kepada|Subjek|Dikirim dari iPhone saya|Paket berangkat hari ini.|Pesan Asli",
  "ja|:|差出人|送信日時|宛先|件名|iPhoneから送信|荷物は本日発送しました。|元のメッセージ",
  "ko|님이 작성:|보낸 사람|보낸 날짜|받는 사람|제목|나의 iPhone에서 보냄|오늘 발송했습니다.|원본 메시지",
  "zh|写道：|发件人|发送时间|收件人|主题|发自我的iPhone|包裹今天已发出。|原始邮件",
];

export const REPLY_LANGUAGES: readonly ReplyLanguage[] = ROWS.map((row) => {
  const [code = "", wrote = "", from = "", sent = "", to = "", subject = "", phone = "", text = "", original = ""] =
    row.split("|");
  return { code, wrote, fields: [from, sent, to, subject], phone, text, original };
});
