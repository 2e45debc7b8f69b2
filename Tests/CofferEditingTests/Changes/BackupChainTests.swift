internal import CofferKit
internal import CoreDataArchive
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

/// A full archive and its changes, read as one: the archive of the state is that of a direct export, byte
/// for byte, and whatever is wrong with a link is refused.
@Suite struct BackupChainTests {
  private static let key =
    "AGE-SECRET-KEY-1PC0N2UAN2Y5KGVPND30HD6M0NHWF2EMZJ9RY2S7CSRRL93MYEE0Q7NXZET"

  @Test func aChainIsTheExportOfItsLastState() throws {
    for seed in 1...ChangesTrial.rounds {
      let trial = try ChangesTrial()
      let first = try trial.generatedStore(seed: UInt64(seed))
      try ChainTrial(trial, first, UInt64(seed), edits: 1 + seed % 30).requireLaws()
    }
  }

  /// The changes have the laws of changes too, and the kinds of chains take turns.
  @Test(arguments: RealStores.all) func aChainOfARealStoreIsToo(_ store: RealStore) throws {
    let trial = try ChangesTrial()
    let first = try RealStores.copy(store, to: trial.directory)
    let chain = try ChainTrial(
      trial, first, UInt64(store.name.utf8.count), edits: 12, states: 2)
    try chain.requireLaws(only: RealStores.all.firstIndex(of: store))
    try trial.requireLaws(
      of: chain.stores, [1, 2].map { chain.link($0, isReversible: true) }, store.name)
  }

  @Test func aFullArchiveAloneIsAChain() throws {
    let trial = try ChangesTrial()
    let chain = try ChainTrial(trial, trial.generatedStore(seed: 3), 3, edits: 1, states: 0)
    try chain.requireLaws()
  }

  /// Parts begin and end in the middle of a table, and values have entries of their own.
  @Test func partsAndLargeValuesStayWhereAnExportPutsThem() throws {
    let trial = try ChangesTrial()
    let first = trial.directory.file("First.sqlite")
    try SampleStore.write(to: first)
    func run(_ store: String, _ statements: String...) throws {
      let database = try GeneratorDatabase(path: store)
      try database.registerCoreDataFunctions()
      for statement in statements { try database.run(statement) }
    }
    try run(
      first,
      """
      WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
      INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT, ZNAME)
      SELECT i, 9, 1, printf('%.*c %d', 400, 'x', i) FROM n
      """,
      """
      WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 1200)
      INSERT INTO ZATTACHMENTENTITY (Z_PK, Z_ENT, Z_OPT, ZCONTENT)
      SELECT i, 1, 1, CAST(x'01' || zeroblob(i * 20) AS BLOB) FROM n
      """,
      "UPDATE ZATTACHMENTENTITY SET ZCONTENT = CAST(x'01' || zeroblob(4194304) AS BLOB) WHERE Z_PK = 1100",
      "UPDATE ZATTACHMENTENTITY SET ZCONTENT = CAST(x'01' || zeroblob(4194303) AS BLOB) WHERE Z_PK = 1101"
    )
    let second = try StoreFiles(first).copy(to: trial.directory.file("Second.sqlite"))
    try run(
      second, "UPDATE ZTAGENTITY SET ZNAME = ZNAME || 'changed' WHERE Z_PK IN (1500, 4000, 9000)",
      "DELETE FROM ZTAGENTITY WHERE Z_PK BETWEEN 2000 AND 2900",
      "INSERT INTO ZTAGENTITY (Z_PK, Z_ENT, Z_OPT) VALUES (20000, 9, 1), (999, 9, 1)",
      "UPDATE ZATTACHMENTENTITY SET Z_OPT = 2 WHERE Z_PK IN (1050, 1100)",
      "UPDATE ZATTACHMENTENTITY SET ZCONTENT = CAST(x'01' || zeroblob(5000000) AS BLOB) WHERE Z_PK = 1010",
      "UPDATE ZATTACHMENTENTITY SET ZCONTENT = zeroblob(5000001) WHERE Z_PK = 1011",
      "DELETE FROM ZATTACHMENTENTITY WHERE Z_PK = 1001")
    try ChainTrial(trial, [first, second]).requireLaws()
  }

  @Test func filesElsewhereAreReadByTheirDigest() throws {
    let trial = try ChangesTrial()
    var seed: UInt64 = 1
    var chain = try ChainTrial(trial, trial.generatedStore(seed: seed), seed, edits: 3, states: 1)
    func entries() throws -> [String] {
      try ArchiveRewriter(chain.link(1, isReversible: false)).entries.map(\.name)
        .filter { $0.hasPrefix("after/external/") }
    }
    try chain.writeLinks()
    while try entries().isEmpty {
      seed += 2
      chain = try ChainTrial(trial, trial.generatedStore(seed: seed), seed, edits: 3, states: 1)
      try chain.writeLinks()
    }
    let link = chain.link(1, isReversible: false)
    var archive = try ArchiveRewriter(link)
    var contents: [String: [UInt8]] = [:]
    var named: [String] = []
    for name in try entries() {
      let position = try archive.position(of: name)
      let record = try #require(archive.records.first { $0.name == name })
      contents[record.digest.hex] = Array(archive.entries[position].bytes)
      let file = name.dropFirst("after/".count)
      named.append(
        #"{"name": "\#(file)", "size": \#(record.size), "sha256": "\#(record.digest.hex)"}"#)
      archive.entries.remove(at: position)
      archive.records.removeAll { $0.name == name }
    }
    let position = try archive.position(of: "changes.json")
    let text = archive.entries[position].text
    let end = try #require(text.lastIndex(of: "}"))
    archive.entries[position].text =
      text[..<end] + #", "elsewhere": [\#(named.joined(separator: ", "))]}"#
    try archive.write(to: link)
    let files = contents
    let result = trial.directory.file("Result.coffer.tar.gz")
    let opened = try BackupChain(full: chain.full, changes: [link]) { digest, body in
      for byte in files[digest] ?? [] { try body([byte]) }
    }
    try opened.write(to: .file(result))
    #expect(try chain.bytes(result) == chain.bytes(chain.export(1)))
    // They are needed, and their content is checked.
    let missing = #expect(throws: CofferError.self) {
      try BackupChain(full: chain.full, changes: [link]).write(to: .file(result + "2"))
    }
    #expect(missing?.code == .missingEntry)
    let wrong = #expect(throws: CofferError.self) {
      try BackupChain(full: chain.full, changes: [link]) { digest, body in
        try body(files[digest].map { $0.map { $0 ^ 1 } } ?? [])
      }.write(to: .file(result + "2"))
    }
    #expect(wrong?.code == .damagedArchive)
    #expect(!FileManager.default.fileExists(atPath: result + "2"))
    // Joined, they are named again.
    let joined = trial.file("Joined")
    try StoreChanges.concatenate([link, chain.emptyLink()], to: .file(joined))
    #expect(try ArchiveRewriter(joined).entries.contains { $0.text.contains("elsewhere") })
    #expect(try StoreChanges(link).verify().kind == .changes)
  }

  @Test func aTemporaryArchiveIsGoneWithItsUser() throws {
    let trial = try ChangesTrial()
    let chain = try ChainTrial(trial, trial.generatedStore(seed: 6), 6, edits: 5, states: 1)
    try chain.writeLinks()
    let link = chain.link(1, isReversible: false)
    let folder = trial.directory.file("temporary")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let opened = try BackupChain(full: chain.full, changes: [link])
    do {
      let work = try WorkFolder(for: .backup, in: folder)
      let archive = work.path("State.coffer.tar.gz")
      let summary = try opened.write(to: .file(archive), options: ChainOptions(level: 1))
      #expect(summary.contentDigest == opened.contentDigest)
      let difference = try StoreComparison().compare(archive, chain.export(1))
      #expect(difference.isEqual)
      withExtendedLifetime(work) {}
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }

  /// The links of a vault are encrypted, and so can be the result.
  @Test func encryptedLinksAreRead() throws {
    let trial = try ChangesTrial()
    let chain = try ChainTrial(trial, trial.generatedStore(seed: 8), 8, edits: 8, states: 2)
    try chain.writeLinks()
    let identities = try ArchiveIdentity.identities(inFile: Array(Self.key.utf8))
    let encryption = try ArchiveEncryption(recipients: identities.compactMap(\.recipient))
    let full = trial.directory.file("Full.age")
    var exporter = StoreExporter()
    exporter.options.encryption = encryption
    try exporter.export(storeAt: chain.stores[0], to: full)
    var options = ChangesOptions()
    options.isReversible = false
    options.encryption = encryption
    let links = try [1, 2].map { number in
      let link = trial.file("Encrypted-\(number)")
      try StoreComparison().writeChanges(
        from: chain.stores[number - 1], to: chain.stores[number], at: .file(link),
        writing: options)
      return link
    }
    let locked = #expect(throws: CofferError.self) { try BackupChain(full: full, changes: links) }
    #expect(locked?.code == .encryptedArchive)
    var environment = WorkEnvironment()
    environment.identities = identities
    let result = trial.directory.file("Result.coffer.tar.gz")
    try BackupChain(full: full, changes: links, environment: environment).write(
      to: .file(result), options: ChainOptions(reusesMembers: true))
    #expect(try chain.bytes(result) == chain.bytes(chain.export(2)))
  }

  @Test func linksThatDoNotFollowAreRefused() throws {
    let trial = try ChangesTrial()
    let chain = try ChainTrial(trial, trial.generatedStore(seed: 2), 2, edits: 8)
    try chain.writeLinks()
    let links = [1, 2, 3].map { chain.link($0, isReversible: $0 == 2) }
    let other = try ChangesTrial()
    let foreign = try ChainTrial(other, other.generatedStore(seed: 5), 5, edits: 8)
    try foreign.writeLinks()
    let wrong: [(String, [String])] = [
      ("another order", [links[1], links[0], links[2]]), ("a gap", [links[0], links[2]]),
      ("no beginning", [links[1], links[2]]), ("the same twice", [links[0], links[0]]),
      ("another store", [foreign.link(1, isReversible: true)]),
      ("another store in between", [links[0], foreign.link(2, isReversible: false)]),
    ]
    for (label, paths) in wrong {
      let error = #expect(throws: CofferError.self, "\(label)") {
        try BackupChain(full: chain.full, changes: paths)
      }
      #expect(error?.code == .wrongState, "\(label)")
      #expect(error?.hint != nil, "\(label)")
    }
    #expect(throws: Never.self) { try BackupChain(full: chain.full, changes: links) }
  }

  /// A bit that is flipped in any file of a chain is noticed, or means nothing.
  @Test func flippedBitsNeverLeadToAnotherState() throws {
    let trial = try ChangesTrial()
    let chain = try ChainTrial(trial, trial.generatedStore(seed: 4), 4, edits: 10)
    try chain.writeLinks()
    let links = [1, 2, 3].map { chain.link($0, isReversible: $0 == 2) }
    let expected = try chain.bytes(chain.export(3))
    var random = SeededGenerator(seed: 9)
    let result = trial.directory.file("Result.coffer.tar.gz")
    var options = ChainOptions()
    for round in 0..<80 {
      options.reusesMembers = round % 2 == 0
      let file = ([chain.full] + links)[round % 4]
      let whole = try chain.bytes(file)
      var bytes = whole
      bytes[random.below(whole.count)] ^= UInt8(1 << random.below(8))
      try bytes.write(to: URL(fileURLWithPath: file))
      do {
        try BackupChain(full: chain.full, changes: links).write(
          to: .file(result, overwriting: true), options: options)
        // The last bits of compressed data mean nothing, but are copied with it.
        let digests = try [result, chain.export(3)].map {
          try BackupChain(full: $0, changes: []).contentDigest
        }
        #expect(digests[0] == digests[1], "round \(round)")
      } catch is CofferError {
        #expect(!FileManager.default.fileExists(atPath: result), "round \(round)")
      }
      try? FileManager.default.removeItem(atPath: result)
      try whole.write(to: URL(fileURLWithPath: file))
    }
    try BackupChain(full: chain.full, changes: links).write(to: .file(result))
    #expect(try chain.bytes(result) == expected)
  }
}

/// States of a store, the export of each, and the changes between them with and without the values before.
struct ChainTrial {
  private let trial: ChangesTrial
  let stores: [String]
  private let label: String

  init(_ trial: ChangesTrial, _ stores: [String]) {
    (self.trial, self.stores, label) = (trial, stores, stores[0])
  }

  init(
    _ trial: ChangesTrial, _ first: String, _ seed: UInt64, edits: Int, states: Int = 3
  ) throws {
    self.trial = trial
    label = "seed \(seed), \(first)"
    var stores = [first]
    for number in 0..<states {
      stores.append(
        try trial.edited(
          stores[number], seed: seed &+ UInt64(number) &* 7919, edits, as: "State-\(number + 1)"))
    }
    self.stores = stores
  }

  /// The archive of the first state.
  var full: String { trial.directory.file("Full.coffer.tar.gz") }

  /// The changes that lead to a state.
  func link(_ number: Int, isReversible: Bool) -> String {
    trial.file("Link-\(number)-\(isReversible)")
  }

  /// Changes of the last state to itself.
  func emptyLink() throws -> String {
    let last = stores[stores.count - 1]
    try trial.write(from: last, to: last, "Empty")
    return trial.file("Empty")
  }

  func export(_ state: Int, compression: ArchiveCompression = .gzip) throws -> String {
    let path = trial.directory.file("Export-\(state).\(compression)")
    if !FileManager.default.fileExists(atPath: path) {
      var exporter = StoreExporter()
      exporter.options.compression = compression
      try exporter.export(storeAt: stores[state], to: path)
    }
    return path
  }

  func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  func writeLinks() throws {
    try StoreExporter().export(storeAt: stores[0], to: .file(full, overwriting: true))
    for number in stores.indices.dropFirst() {
      for isReversible in [true, false] {
        var options = ChangesOptions()
        options.isReversible = isReversible
        try StoreComparison().writeChanges(
          from: stores[number - 1], to: stores[number],
          at: .file(link(number, isReversible: isReversible), overwriting: true), writing: options)
      }
    }
  }

  /// Requires that the chain to the last state, of each kind of changes and in each container, is the
  /// export of the state.
  ///
  /// `turn` is a number that stands for one of the kinds or the other container; nil for all.
  func requireLaws(only turn: Int? = nil) throws {
    try writeLinks()
    let kinds: [(name: String, isReversible: (Int) -> Bool)] = [
      ("reversible", { _ in true }), ("not reversible", { _ in false }),
      ("mixed", { $0 % 2 == 0 }), ("mixed the other way", { $0 % 2 == 1 }),
    ]
    let last = stores.count - 1
    let turn = turn.map { $0 % (kinds.count + 1) }
    for (number, kind) in kinds.enumerated() where turn == nil || turn == number {
      let links = stores.indices.dropFirst().map {
        link($0, isReversible: kind.isReversible($0))
      }
      let chain = try BackupChain(full: full, changes: links)
      let result = trial.directory.file("Result-\(number).coffer.tar.gz")
      let options = ChainOptions(reusesMembers: number % 2 == 0)
      let summary = try chain.write(to: .file(result, overwriting: true), options: options)
      let expected = try export(last)
      #expect(try bytes(result) == bytes(expected), "\(label), \(kind.name)")
      #expect(summary.contentDigest == chain.contentDigest)
      // Once with values before, once without.
      if number < 2 { try requireRows(of: chain, as: expected) }
    }
    guard turn == nil || turn == kinds.count else { return }
    // In the other container, nothing can be copied as it is compressed.
    let links = stores.indices.dropFirst().map { link($0, isReversible: false) }
    let result = trial.directory.file("Result.coffer.tar.zst")
    try BackupChain(full: full, changes: links).write(
      to: .file(result, overwriting: true),
      options: ChainOptions(compression: .zstd, reusesMembers: true))
    #expect(try bytes(result) == bytes(export(last, compression: .zstd)), "\(label), zstd")
  }

  /// Requires that a chain, asked for rows and files, gives those of an archive of its state.
  private func requireRows(of chain: BackupChain, as archive: String) throws {
    let state = try chain.source(path: "state")
    let export = ArchiveRowSource(try OpenArchive(path: archive, environment: WorkEnvironment()))
    #expect(state.shapes == export.shapes, "\(label)")
    #expect(try state.metadata() == export.metadata(), "\(label)")
    for shape in export.shapes {
      var keys: [Int64] = []
      let rows = try export.rows(of: shape)
      let column = shape.fields.firstIndex { $0.role == .primaryKey }
      while try rows.next() {
        if let key = column.flatMap({ rows.row.integer($0) }) { keys.append(key) }
      }
      try requireRows(of: shape, state, export, nil)
      guard let first = keys.first, let last = keys.last else { continue }
      let middle = keys[keys.count / 2]
      let ranges = [middle...middle, first...middle, middle...last]
      for range in ranges { try requireRows(of: shape, state, export, range) }
    }
    let files = Dictionary(uniqueKeysWithValues: export.files().map { ($0.components, $0) })
    #expect(try Set(state.files().map(\.components)) == Set(files.keys), "\(label)")
    for file in try state.files() {
      let other = try #require(files[file.components])
      var (mine, theirs): ([UInt8], [UInt8]) = ([], [])
      #expect(try unsafe state.read(file) { unsafe mine += $0 })
      #expect(try unsafe export.read(other) { unsafe theirs += $0 })
      #expect(mine == theirs && file.size == mine.count, "\(label), \(file.components)")
      #expect(try state.digest(of: file) == export.digest(of: other))
    }
  }

  /// Requires the same rows of a table with some primary keys, whichever others come.
  private func requireRows(
    of shape: TableLayout, _ state: ChainSource, _ export: ArchiveRowSource,
    _ keys: ClosedRange<Int64>?
  ) throws {
    let (mine, theirs) = (
      try state.rows(of: shape, keys: keys),
      try export.rows(of: shape, keys: keys)
    )
    let column = shape.fields.firstIndex { $0.role == .primaryKey }
    func next(_ rows: some RowCursor) throws -> Bool {
      while try rows.next() {
        guard let keys, let column else { return true }
        if rows.row.integer(column).map(keys.contains) ?? true { return true }
      }
      return false
    }
    var count = 0
    while try next(theirs) {
      guard try next(mine) else {
        Issue.record("\(label), \(shape.storedName): row \(count) is missing")
        return
      }
      let isSame = try shape.fields.indices.allSatisfy {
        try mine.hasSameValue($0, as: theirs, $0)
      }
      guard isSame, mine.row.rowNumber == theirs.row.rowNumber else {
        Issue.record("\(label), \(shape.storedName): row \(count) differs")
        return
      }
      count += 1
    }
    #expect(try !next(mine), "\(label), \(shape.storedName): a row too many")
  }
}
