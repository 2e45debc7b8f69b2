internal import CoreDataModel
internal import DataCompression
internal import TestSupport
internal import Testing

/// Whatever bytes are read as a model: the outcome is an error or a model, in bounded time.
@Suite struct HostileModelTests {
  private static func objects(_ model: ManagedObjectModel) throws -> [PropertyListValue] {
    let archive = try PropertyListValue.parse(ModelCacheWriter.archive(model))
    return try #require(archive["$objects"]?.elements)
  }

  /// The archive of the small model with one field of each object that has it replaced.
  private static func archive(
    replacing field: String, by value: PropertyListValue, adding more: [PropertyListValue] = []
  ) throws -> [UInt8] {
    let changed = try objects(SampleModels.small).map { object -> PropertyListValue in
      guard case .dictionary(var entries) = object else { return object }
      for position in entries.indices where entries[position].key == field {
        entries[position].value = value
      }
      return .dictionary(entries)
    }
    return ArchiveFixture.archive(objects: changed + more)
  }

  @Test func truncationAtEveryByteIsAnError() throws {
    let compressed = try ModelCacheWriter.write(SampleModels.everyFeature)
    for length in 0..<compressed.count {
      #expect(
        code { _ = try ModelCacheReader.read(compressed: Array(compressed[..<length])) }
          == .damagedModel, "\(length) bytes")
    }
    let archive = ModelCacheWriter.archive(SampleModels.everyFeature)
    for length in 0..<archive.count {
      #expect(
        code { _ = try ModelCacheReader.read(archive: Array(archive[..<length])) } != nil,
        "\(length) bytes")
    }
  }

  @Test func bytesAfterTheModelAreAnError() throws {
    let compressed = try ModelCacheWriter.write(SampleModels.small)
    #expect(code { _ = try ModelCacheReader.read(compressed: compressed + [0]) } == .damagedModel)
  }

  @Test func flippedBitsGiveAnErrorOrAModel() throws {
    var errors = 0
    let archive = ModelCacheWriter.archive(SampleModels.small)
    for position in archive.indices {
      for bit in 0..<8 {
        var damaged = archive
        damaged[position] ^= 1 << UInt8(bit)
        if code({ _ = try ModelCacheReader.read(archive: damaged) }) != nil { errors += 1 }
      }
    }
    #expect(errors > 0)
    let compressed = try ModelCacheWriter.write(SampleModels.small)
    for position in compressed.indices {
      for bit in 0..<8 {
        var damaged = compressed
        damaged[position] ^= 1 << UInt8(bit)
        _ = try? ModelCacheReader.read(compressed: damaged)
      }
    }
  }

  @Test(.enabled(if: Oracle.isAvailable, "COFFER_REAL_STORES and COFFER_ORACLES are not set"))
  func realModelsThatAreCutOrFlippedGiveAnErrorOrAModel() throws {
    let samples = try Oracle.cachedModels.get().sorted { $0.content.count < $1.content.count }
    let (small, large) = (try #require(samples.first), try #require(samples.last))
    var random = SeededGenerator(seed: 20_010_101)
    for (sample, stride, flips) in [(small, 1, 3000), (large, 997, 50)] {
      let bytes = sample.bytes
      for length in Swift.stride(from: 0, to: bytes.count, by: stride) {
        #expect(
          code { _ = try ModelCacheReader.read(compressed: Array(bytes[..<length])) }
            == .damagedModel)
      }
      let archive = try inflateRaw(bytes, limit: ModelCacheReader.maximumArchiveSize)
      for length in Swift.stride(from: 0, to: archive.count, by: stride) {
        #expect(code { _ = try ModelCacheReader.read(archive: Array(archive[..<length])) } != nil)
      }
      for _ in 0..<flips {
        var (damaged, other) = (bytes, archive)
        damaged[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8(random.next() % 8)
        other[Int.random(in: archive.indices, using: &random)] ^= 1 << UInt8(random.next() % 8)
        _ = try? ModelCacheReader.read(compressed: damaged)
        _ = try? ModelCacheReader.read(archive: other)
      }
    }
  }

  @Test func aStreamThatInflatesToTooMuchIsAnError() throws {
    let bomb = try deflateRaw(
      [UInt8](repeating: 0, count: ModelCacheReader.maximumArchiveSize + 1), level: 1)
    #expect(bomb.count < 1 << 20)
    #expect(code { _ = try ModelCacheReader.read(compressed: bomb) } == .modelLimit)
  }

  @Test func anArchiveOfSomethingElseIsNoModel() {
    let archive = ArchiveFixture.archive(objects: [
      .string("$null"), ArchiveFixture.object(2, [("NS.objects", .array([]))]),
      ArchiveFixture.describedClass("NSArray", "NSObject"),
    ])
    #expect(code { _ = try ModelCacheReader.read(archive: archive) } == .notAModel)
    #expect(code { _ = try ModelCacheReader.read(archive: Array("momv2$".utf8)) } == .notAModel)
  }

  @Test(arguments: [
    "NSEntities", "NSProperties", "NS.keys", "NS.objects", "values", "searchMapping", "$class",
    "_NSDestinationEntityName", "NSEntityName", "NSUserInfo", "NSDeleteRule", "NSMaxCount",
    "NSAttributeType", "NSSuperentity", "NSVersionIdentifiers", "$classname", "$classes",
  ])
  func fieldsOfTheWrongKindGiveAnErrorOrAModel(_ field: String) throws {
    let wrong: [PropertyListValue] = [
      .uid(0), .uid(1), .uid(2), .uid(9999), .integer(.min), .integer(99), .bool(true), .data([1]),
      .string("x"), .array([]), .array([.uid(1)]), .dictionary([]), .real(.nan), .null,
    ]
    for value in wrong {
      let archive = try Self.archive(replacing: field, by: value)
      _ = try? ModelCacheReader.read(archive: archive)
    }
    // A reference to nothing is never read past.
    let archive = try Self.archive(replacing: field, by: .uid(9999))
    let outcome = code { _ = try ModelCacheReader.read(archive: archive) }
    #expect(outcome == .damagedModel || ["$classname", "$classes"].contains(field))
  }

  @Test func anUnknownDeleteRuleIsAnErrorThatSaysWhere() throws {
    let archive = try Self.archive(replacing: "NSDeleteRule", by: .integer(9))
    do {
      _ = try ModelCacheReader.read(archive: archive)
      Issue.record("the model was read")
    } catch {
      #expect(error.code == .damagedModel)
      #expect(error.place.item == "Author.books")
    }
  }

  @Test func inheritanceInACircleIsAnError() throws {
    let archive = try Self.archive(replacing: "NSSuperentity", by: .uid(2))
    #expect(code { _ = try ModelCacheReader.read(archive: archive) } == .damagedModel)
  }

  @Test func aUserInfoThatMultipliesIsAnError() throws {
    let count = UInt64(try Self.objects(SampleModels.small).count)
    let list = ArchiveFixture.describedClass("NSArray", "NSObject")
    let dictionary = ArchiveFixture.describedClass("NSDictionary", "NSObject")
    var more = [
      list, dictionary,
      ArchiveFixture.object(
        count + 1,
        [("NS.keys", .array([.uid(count + 3)])), ("NS.objects", .array([.uid(count + 4)]))]),
      .string("key"),
    ]
    for position in 0..<40 as Range<UInt64> {
      let next = PropertyListValue.uid(count + 5 + position)
      more.append(
        ArchiveFixture.object(count, [("NS.objects", .array(position == 39 ? [] : [next, next]))]))
    }
    let archive = try Self.archive(replacing: "NSUserInfo", by: .uid(count + 2), adding: more)
    #expect(code { _ = try ModelCacheReader.read(archive: archive) } == .modelLimit)
  }

  @Test func aPredicateInItselfIsAnError() throws {
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "A",
          fetchIndexes: [
            FetchIndexDescription(
              name: "i", elements: [],
              partialIndexPredicate: .not(
                .not(.comparison(.evaluatedObject, .init(rawValue: 4), .constant(nil)))))
          ])
      ], source: .modelCache)
    var objects = try Self.objects(model)
    let compounds = objects.indices.filter { objects[$0]["NSSubpredicates"] != nil }
    let position = try #require(compounds.first)
    for (number, object) in objects.enumerated() {
      guard case .dictionary(var entries) = object,
        let field = entries.firstIndex(where: { $0.key == "NSSubpredicates" })
      else { continue }
      entries[field].value = .array([.uid(UInt64(position))])
      objects[number] = .dictionary(entries)
    }
    let archive = ArchiveFixture.archive(objects: objects)
    #expect(code { _ = try ModelCacheReader.read(archive: archive) } == .modelLimit)
  }

  @Test func manyPropertiesOfOneSharedListAreBounded() throws {
    // 700 entities that share one list of 700 properties, which are one and the same attribute.
    let most: UInt64 = 700
    var objects: [PropertyListValue] = [
      .string("$null"),
      ArchiveFixture.object(2, [("NSEntities", .uid(3))]),
      ArchiveFixture.describedClass("NSManagedObjectModel", "NSObject"),
      .null,
      ArchiveFixture.describedClass("NSDictionary", "NSObject"),
      ArchiveFixture.describedClass("NSEntityDescription", "NSObject"),
      .null,
      ArchiveFixture.object(8, [("NSAttributeType", .integer(700))]),
      ArchiveFixture.describedClass("NSAttributeDescription", "NSPropertyDescription", "NSObject"),
    ]
    let first = UInt64(objects.count)
    for number in 0..<most { objects.append(.string("n\(number)")) }
    for _ in 0..<most { objects.append(ArchiveFixture.object(5, [("NSProperties", .uid(6))])) }
    let names = PropertyListValue.array((0..<most).map { .uid(first + $0) })
    objects[3] = ArchiveFixture.object(
      4, [("NS.keys", names), ("NS.objects", .array((0..<most).map { .uid(first + most + $0) }))])
    objects[6] = ArchiveFixture.object(
      4, [("NS.keys", names), ("NS.objects", .array((0..<most).map { _ in .uid(7) }))])
    let archive = ArchiveFixture.archive(objects: objects)
    #expect(code { _ = try ModelCacheReader.read(archive: archive) } == .modelLimit)
  }
}
