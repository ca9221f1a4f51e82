/** Signatures that phones and mail apps add, in 30 languages. */
const MAX_LENGTH = 90;
const DEVICE =
  /iphon|ipad|android|galaxy|samsung|huawei|xiaomi|blackberry|outlook|yahoo|proton|gmail|windows|smartphone|handy|mobile|zoho|айфон/iu;
const SENT =
  /^(?:sent (?:from|with|via)|get outlook for|von meinem .{1,30} gesendet$|gesendet (?:von|mit|über|aus)|envoyé (?:de|depuis|avec|à partir)|enviado (?:desde|do|de|con|com|via|a partir)|inviato (?:da|dal|con)|verstuurd (?:vanaf|via|met)|verzonden (?:vanaf|met|via)|skickat från|skickades från|sendt fra|lähetetty|wysłan[eo] z|odesláno z|odoslan[éo] z|elküldve|trimis (?:de|din)|изпратено от|отправлено (?:с|из)|надіслано з|στάλθηκε από|נשלח מ|أُ?رسلت? من|तुम्हारे|ส่งจาก|(?:đã )?gửi từ|dikirim dari|dihantar (?:dari|daripada)|发自|從我的|从我的|poslano (?:s|iz)|послато са|enviat des|išsiųsta iš|nosūtīts no|saadetud)/iu;
const SENT_AT_END = /(?:gesendet|gönderildi|küldve|भेजा गया|から送信|에서 보냄|傳送|发送)\.?$/iu;

/** Returns true for one line such as `Sent from my iPhone`. */
export function isDeviceSignature(line: string): boolean {
  return line.length <= MAX_LENGTH && DEVICE.test(line) && (SENT.test(line) || SENT_AT_END.test(line));
}
