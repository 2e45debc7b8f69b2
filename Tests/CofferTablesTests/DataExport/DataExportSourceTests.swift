internal import CofferKit
internal import Foundation
internal import LibrarySupport
internal import TestSupport
internal import Testing

/// A store and an archive of it give the same files, whatever is in them.
@Suite struct DataExportSourceTests {
  private func expectEqual(_ trial: DataExportTrial, _ formats: [DataFormat]) throws {
    let archive = try trial.archive()
    for format in formats {
      let options = DataExportOptions(format: format)
      let ofStore = try trial.write(trial.store, options, to: "store-\(format)")
      let ofArchive = try trial.write(archive, options, to: "archive-\(format)")
      #expect(ofStore.warnings == ofArchive.warnings)
      guard format != .sqlite else { continue }
      #expect(try trial.files("store-\(format)") == trial.files("archive-\(format)"))
    }
  }

  @Test func theSampleAndItsArchiveGiveTheSameFiles() throws {
    try expectEqual(try DataExportTrial(SampleCopy()), DataFormat.allCases)
  }

  /// Values that no attribute should have, and the forms that an archive gives them.
  @Test func unexpectedValuesAreWrittenAndCounted() throws {
    let sample = try SampleCopy(
      changedBy: """
        UPDATE ZTAGENTITY SET ZNAME = CAST(x'41ff42' AS TEXT) WHERE Z_PK = 1;
        UPDATE ZTAGENTITY SET ZNAME = x'00ff' WHERE Z_PK = 2;
        UPDATE ZTAGENTITY SET ZCOLOR = 'red' WHERE Z_PK = 3;
        UPDATE ZTAGENTITY SET ZNAME = '' WHERE Z_PK = 4;
        UPDATE ZTAGENTITY SET ZNAME = NULL WHERE Z_PK = 5;
        UPDATE ZTAGENTITY SET ZNAME = 'a,"b"' || char(13, 10) || 'c' WHERE Z_PK = 6;
        UPDATE ZVISITENTITY SET ZARRIVAL = 9e18 WHERE Z_PK = 1
        """)
    let trial = DataExportTrial(sample)
    try expectEqual(trial, DataFormat.allCases)
    let tags = try trial.text("store-csv/TagEntity.csv").split(
      separator: "\r\n", omittingEmptySubsequences: false)
    #expect(tags[0] == "id,color,name")
    #expect(tags[1] == "1,0,A\u{FFFD}B")
    #expect(tags[2].hasSuffix(",AP8="))
    #expect(tags[3].hasPrefix("3,red,"))
    #expect(tags[4].hasSuffix(",\"\""))
    #expect(tags[5].hasSuffix(","))
    #expect(tags[6].hasSuffix(",\"a,\"\"b\"\""))
    #expect(tags[7] == "c\"")
    let visits = try trial.text("store-csv/VisitEntity.csv")
    #expect(visits.contains("1,9e+18,") || visits.contains("1,9000000000000000000,"))
    let lines = try trial.text("store-ndjson/TagEntity.ndjson").split(separator: "\n")
    #expect(lines[0] == "{\"id\":1,\"color\":0,\"name\":\"A\u{FFFD}B\"}")
    #expect(lines[4].hasSuffix("\"name\":null}"))
    let summary = try trial.write(trial.store, DataExportOptions(format: .csv), to: "again")
    let counts = Dictionary(uniqueKeysWithValues: summary.warnings.map { ($0.code, $0.count) })
    #expect(counts[.invalidText] == 1)
    #expect(counts[.unexpectedValue] == 2)
    #expect(counts[.unwritableDate] == 3)
    #expect(!summary.isIncomplete)
  }

  /// Whatever is wrong with a store: there is a complete output, or an error and nothing.
  @Test func damagedStoresGiveAllOrNothing() throws {
    let formats = DataFormat.allCases
    for (index, damage) in Damage.all.enumerated() {
      let format = formats[index % formats.count]
      let folder = try TemporaryDirectory()
      let path = folder.file("Todo.sqlite")
      try SampleStore.write(to: path)
      try damage.apply(to: path)
      let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      let trial = DataExportTrial(folder: folder, store: path)
      let code = errorCode { try trial.write(path, DataExportOptions(format: format), to: "out") }
      let after = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      let expected = (code == nil ? before + ["out"] : before).sorted()
      #expect(after == expected, "\(damage): \(code ?? "")")
    }
  }

  @Test func danglingReferencesAreKeptAndCounted() throws {
    let sample = try SampleCopy(
      changedBy: "UPDATE ZITEMENTITY SET ZLOCATION = 4711 WHERE Z_PK = 1")
    let trial = DataExportTrial(sample)
    let summary = try trial.write(sample.path, DataExportOptions(format: .sqlite), to: "out")
    #expect(summary.warnings.first { $0.code == .danglingReference }?.count == 1)
    let found = try SampleCopy.rows(
      trial.folder.file("out/Todo.sqlite"), "SELECT location FROM TodoEntity WHERE id = 1")
    #expect(found == [[.integer(4711)]])
  }

  @Test func objectsOfNoEntityAreLeftOutAndMissed() throws {
    let sample = try SampleCopy(changedBy: "UPDATE ZTAGENTITY SET Z_ENT = 999 WHERE Z_PK = 2")
    let trial = DataExportTrial(sample)
    for format in DataFormat.allCases {
      let summary = try trial.write(sample.path, DataExportOptions(format: format), to: "\(format)")
      #expect(summary.objectCount == 36)
      #expect(summary.warnings.first { $0.code == .unknownEntity }?.count == 1)
      #expect(summary.isIncomplete)
    }
  }
}
