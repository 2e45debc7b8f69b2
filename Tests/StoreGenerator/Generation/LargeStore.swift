internal import CoreDataModel

/// A store of any size with the model of the sample: how much of what, and what it is made with.
///
/// Everything is drawn from one seed. Rows are written as they are drawn; what is kept in memory
/// does not grow with the store, but for a counter for each person and each location.
final class LargeStore {
  let options: GeneratorOptions
  let builder: SampleStoreBuilder
  var random: SeededGenerator
  let text: TextPool
  let blobs: BlobPool
  let scratch = Scratch(capacity: 1 << 12)
  let uuid = Scratch(capacity: 16)
  let counts: Counts
  /// The number of to-dos at each location, by primary key less one.
  var todoCounts: [Int32]
  /// The number of values in files.
  var externalCount = 0
  /// The number of rows of join tables.
  var joinCount = 0

  let titleLengths: Lengths
  let textLengths: Lengths
  let blobLengths: Lengths

  /// The numbers of objects by root entity.
  struct Counts: Sendable {
    let items: Int
    let attachments: Int
    let people: Int
    let locations: Int
    let visits: Int
    let tags: Int

    init(_ total: Int) {
      tags = total < 100 ? 1 : max(3, min(50_000, total / 50))
      people = max(1, total / 25)
      locations = max(1, total / 50)
      visits = max(1, total / 20)
      attachments = total / 5
      // Every person has settings of its own.
      items = total - tags - 2 * people - locations - visits - attachments
    }
  }

  init(path: String, _ options: GeneratorOptions) throws {
    self.options = options
    random = SeededGenerator(seed: options.seed)
    counts = Counts(options.objectCount)
    todoCounts = Array(repeating: 0, count: counts.locations)
    text = TextPool(size: min(8 << 20, 200_000 + options.objectCount * 8), random: &random)
    let isHeavy = options.blobs == .heavy
    blobs = BlobPool(size: isHeavy ? 8 << 20 : 1 << 20, random: &random)
    titleLengths = Lengths(median: 24, spread: 0.5, limit: 160, random: &random)
    textLengths = Lengths(median: 160, spread: 0.9, limit: 6000, random: &random)
    blobLengths =
      isHeavy
      ? Lengths(
        median: Self.medianOfHeavyBlobs(options, counts), spread: Self.spreadOfHeavyBlobs,
        limit: 2_000_000, random: &random)
      : Lengths(median: 1100, spread: 0.9, limit: 20_000, random: &random)
    let uuid = random.uuidText()
    builder = try SampleStoreBuilder(
      path: path, schema: TodoModel.schema, journal: options.journal,
      identity: StoreIdentity(uuid: uuid))
  }

  /// The standard deviation of the logarithm of the sizes of heavy blobs.
  private static let spreadOfHeavyBlobs = 0.8

  /// The median of the sizes of heavy blobs, from what all of them are to have together.
  private static func medianOfHeavyBlobs(_ options: GeneratorOptions, _ counts: Counts) -> Double {
    guard let bytes = options.blobBytes else { return 40_000 }
    // Of a log-normal distribution, the mean is the median times this.
    let meanToMedian = (spreadOfHeavyBlobs * spreadOfHeavyBlobs / 2).exponential()
    return Double(bytes) / Double(counts.attachments) / meanToMedian
  }

  /// Writes the store.
  func write() throws {
    try writePeople()
    try writeTags()
    try writeItems()
    try writeAttachments()
    try writeLocations()
    try writeVisits()
    try writeTagPairs()
    try writeAssignees()
    try writeFriends()
    try writeLinks()
    recordHistory()
    builder.lastPrimaryKeys = [
      "ItemEntity": Int64(counts.items), "AttachmentEntity": Int64(counts.attachments),
      "PersonEntity": Int64(counts.people), "SettingsEntity": Int64(counts.people),
      "LocationEntity": Int64(counts.locations), "VisitEntity": Int64(counts.visits),
      "TagEntity": Int64(counts.tags),
    ]
    builder.extraPrimaryKeys["TagEntity"] = 7
    try builder.finish()
  }

  /// A point in time between 2014 and 2026: most with a fraction, some in whole seconds.
  func date() -> Double {
    let time = 4.2e8 + random.unit() * 3.8e8
    switch random.below(10) {
    case 0: return time.rounded(.down)
    case 1, 2: return (time * 1000).rounded() / 1000
    default: return time
    }
  }

  /// The number of times that an object was saved.
  func version() -> Int { random.below(10) < 7 ? 1 : 2 + random.below(30) }
}

extension SeededGenerator {
  /// A random UUID in upper case.
  mutating func uuidText() -> String {
    let digits = uuidBytes(&self).map { byte in
      let text = String(byte, radix: 16, uppercase: true)
      return text.count == 1 ? "0" + text : text
    }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
      .joined(separator: "-")
  }
}
