/// A language of the generated texts.
struct Language: Sendable {
  /// Its share of all text, in hundredths.
  let share: Int
  /// Frequent words, the most frequent first.
  let words: [String]
  /// Parts of rare words.
  let syllables: [String]
  /// What stands between words.
  let glue: String
  /// What ends a sentence.
  let end: String

  init(_ share: Int, _ words: String, _ syllables: String, glue: String = " ", end: String = ". ") {
    self.share = share
    self.words = words.split(separator: " ").map(String.init)
    self.syllables = syllables.split(separator: " ").map(String.init)
    self.glue = glue
    self.end = end
  }

  /// The languages; their shares add up to 100.
  static let all = [
    Language(
      48,
      """
      the to and a of in for is on that with it you this be have at are as not we from by or but they \
      an will can what all there if more when your out so up about time has just who do get like one \
      buy call meeting tomorrow before after list home project water bread report ticket train send \
      finish check review plan book table garden window friend holiday summer question answer idea \
      letter number street coffee breakfast school music photo birthday doctor bank office morning
      """,
      "er ing tion con ly re al ment pro ter ble est com ver ity per in ent ous ful"),
    Language(
      13,
      """
      der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an \
      werden aus er hat dass sie nach wird bei einer um am sind noch wie einen über so zum haben nur \
      morgen heute kaufen anrufen Besprechung Brötchen Straße Schlüssel Küche Übung schließen größer \
      Frühstück Fenster Büro Geburtstag Zug Brief Frage Garten Milch prüfen
      """,
      "ung heit lich isch keit ver be ent schaft über zeit haus ge stück ein"),
    Language(
      9,
      """
      de la le et les des en un du une que est pour qui dans par plus pas au sur ne se ce il sont avec \
      cette être fait tout deux demain acheter appeler réunion forêt garçon école où déjà été façon \
      lettre fenêtre bureau rendez-vous gâteau cœur élève train voyage
      """,
      "tion ment eur ance ité age ette ique par con dé ré"),
    Language(
      8,
      """
      de que la el en y a los se del las un por con no una su para es al lo como más pero sus mañana \
      comprar llamar reunión año niño español también después cumpleaños corazón jardín café música \
      carta ventana viaje pregunta
      """,
      "ción miento ado ida ero ista des con pre able"),
    Language(
      8,
      """
      и в не на я быть он с что а по это она к но они мы весь который из у то за свой купить позвонить \
      завтра сегодня встреча работа дом книга вопрос письмо окно улица молоко хлеб день рождения врач
      """,
      "ова ение ство ний пере при раз под ость тель"),
    Language(
      8,
      """
      の に は を た が で て と し れ さ ある いる も する から な こと 買い物 会議 明日 今日 写真 電話 東京 家族 仕事 旅行 \
      料理 予定 時間 日本語 牛乳 パン コーヒー 手紙 誕生日
      """,
      "学 生 会 社 国 人 大 本 中 長 出 時", glue: "", end: "。"),
    Language(
      4,
      """
      في من على أن إلى عن مع هذا التي الذي كان لا ما هذه بين كل بعد أو ذلك غدا اليوم شراء اتصال اجتماع \
      بيت كتاب سؤال رسالة حليب خبز قهوة عيد
      """,
      "ال ية ات ون ين مست"),
    Language(
      2,
      "👍 🎉 ❤️ 😀 🥛 🍕 ✅ 📷 🚀 👩‍👩‍👧‍👦 🇪🇺 👋🏽 ☕️ 🏠 🎂 📎 🔥 🌍",
      "🙂 🎈 📅 ⭐️", glue: " ", end: "! "),
  ]

  /// Given names, of several scripts.
  static let givenNames =
    "Anna Ben Élise Fatima Jürgen Keiko María Noah Ольга Paweł Søren Tomáš Ümit Wei Zoë 太郎 花子 محمد"
    .split(separator: " ").map(String.init)
  /// Family names, of several scripts.
  static let familyNames =
    "Smith Müller García Rossi Dubois O'Neil Novák Yılmaz Nguyễn Петров 山田 佐藤 الحسن Lindqvist"
    .split(separator: " ").map(String.init)
}
