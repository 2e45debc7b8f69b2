internal import CofferKit
internal import CoreDataModel
internal import Foundation
internal import LibrarySupport
internal import StoreGenerator
internal import TestSupport
internal import Testing

@testable internal import CofferReports

/// Models as classes, judged by compilers and an independent reader.
@Suite struct ModelCodeTests {
  /// The models at hand: of stores, and some with everything that a model can have.
  private static let models: [(name: String, model: ManagedObjectModel)] = {
    let stores = RealStores.any.compactMap { store in
      (try? ModelLoader.model(from: store.path)).map { (store.name, $0) }
    }
    return stores + [
      ("sound", ModelSamples.sound), ("made", ModelSamples.made(40)), ("rich", rich),
    ]
  }()

  private static let rich = rich("default")

  /// A model of everything, with the name of one attribute.
  private static func rich(_ name: String) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Place", className: "App.PlaceObject", isAbstract: true,
          attributes: [
            AttributeDescription(
              name: "\(name)", type: .string, isOptional: false, defaultValue: .string("a \"b\"\n")),
            AttributeDescription(name: "visits", type: .integer32, isOptional: false),
            AttributeDescription(
              name: "photo", type: .binary, allowsExternalBinaryDataStorage: true),
          ],
          relationships: [
            RelationshipDescription(
              name: "trips", destinationName: "Trip", inverseName: "places", maxCount: 5,
              isOrdered: true, deleteRule: .deny)
          ], uniquenessConstraints: [["\(name)"], ["visits", "photo"]]),
        EntityDescription(
          name: "City", superentityName: "Place",
          attributes: [
            AttributeDescription(name: "founded", type: .date, defaultValue: .date(-12.5)),
            AttributeDescription(
              name: "address", type: .composite,
              elements: [AttributeDescription(name: "street", type: .string)]),
          ]),
        EntityDescription(
          name: "Trip",
          attributes: [
            AttributeDescription(name: "cost", type: .double, isOptional: false, isTransient: true),
            AttributeDescription(name: "title", type: .string, renamingIdentifier: "name"),
          ],
          relationships: [
            RelationshipDescription(
              name: "places", destinationName: "Place", inverseName: "trips", maxCount: 0,
              isOptional: false),
            RelationshipDescription(
              name: "start", destinationName: "City", isOptional: false, deleteRule: .noAction),
          ]),
      ], versionIdentifiers: ["2.1"], source: .file)
  }

  @Test func swiftDataHasWhatTheModelHas() throws {
    let code = try ModelCode(Self.rich, in: .swiftData)
    #expect(
      code.text == """
        import Foundation
        import SwiftData

        enum ModelSchema: VersionedSchema {
          static var versionIdentifier: Schema.Version { Schema.Version(2, 1, 0) }
          static var models: [any PersistentModel.Type] {
            [City.self, Place.self, Trip.self]
          }
        }

        extension ModelSchema {
          @Model
          class Place {
            #Unique<Place>([\\.visits, \\.photo])
            @Attribute(.unique)
            var `default`: String = "a \\"b\\"\\n"
            @Attribute(.externalStorage)
            var photo: Data?
            var visits: Int32
            @Relationship(deleteRule: .deny, maximumModelCount: 5, inverse: \\Trip.places)
            var trips: [Trip]?

            init(visits: Int32) {
              self.visits = visits
            }
          }
        }

        extension ModelSchema {
          @available(iOS 26, macOS 26, tvOS 26, watchOS 26, *)
          @Model
          final class City: Place {
            var address: Address?
            struct Address: Codable {
              var street: String?
            }
            var founded: Date? = Date(timeIntervalSinceReferenceDate: -12.5)

            override init(visits: Int32) {
              super.init(visits: visits)
            }
          }
        }

        extension ModelSchema {
          @Model
          final class Trip {
            @Transient
            var cost: Double = 0
            @Attribute(originalName: "name")
            var title: String?
            var places: [Place] = []
            @Relationship(deleteRule: .noAction)
            var start: City

            init(start: City) {
              self.start = start
            }
          }
        }

        """)
    #expect(
      code.omissions == [
        ModelCode.Omission(place: "Place.trips", detail: "its order"),
        ModelCode.Omission(place: "Place", detail: "that it is abstract"),
      ])
  }

  @Test func managedObjectsAreAsXcodeGeneratesThem() throws {
    let swift = try ModelCode(Self.rich, in: .swift).text
    for part in [
      "@objc(PlaceObject)\npublic class PlaceObject: NSManagedObject {\n}\n",
      "@objc(City)\npublic class City: PlaceObject {\n}\n",
      "    NSFetchRequest<PlaceObject>(entityName: \"Place\")\n",
      "  @NSManaged public var visits: Int32\n", "  @NSManaged public var trips: NSOrderedSet?\n",
      "  @objc(insertObject:inTripsAtIndex:)\n"
        + "  @NSManaged public func insertIntoTrips(_ value: Trip, at index: Int)\n",
      "  @objc(addPlaces:)\n  @NSManaged public func addToPlaces(_ values: NSSet)\n",
    ] { #expect(swift.contains(part), "\(part)") }
    let objectiveC = try ModelCode(Self.rich("label"), in: .objectiveC).text
    for part in [
      "@class PlaceObject, City, Trip;\n", "@interface City : PlaceObject\n",
      "@property (nonatomic) int32_t visits;\n",
      "@property (nullable, nonatomic, retain) NSOrderedSet<Trip *> *trips;\n",
      "- (void)insertObject:(Trip *)value inTripsAtIndex:(NSUInteger)index;\n",
      "@dynamic visits;\n",
    ] { #expect(objectiveC.contains(part), "\(part)") }
  }

  @Test(arguments: ["a b", "größe", "1st", "x`y"])
  func aNameThatIsNoIdentifierIsRefused(_ name: String) {
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "A", attributes: [AttributeDescription(name: "\(name)", type: .string)])
      ], source: .file)
    for language in ModelCode.Language.allCases {
      let error = #expect(throws: CofferError.self) { try ModelCode(model, in: language) }
      #expect(error?.code == .refused)
      #expect(error?.detail.contains("'\(name)'") == true)
    }
  }

  @Test(arguments: ["Int? = evil()", "Int // ", "a;b", "{ }", "1st"])
  func aClassOfAValueThatIsNoTypeIsRefused(_ name: String) throws {
    func code(_ name: String, _ language: ModelCode.Language) throws {
      let attribute = AttributeDescription(
        name: "a", type: .transformable, valueClassName: "\(name)")
      let entities = [EntityDescription(name: "A", attributes: [attribute])]
      _ = try ModelCode(ManagedObjectModel(entities: entities, source: .file), in: language)
    }
    for language in ModelCode.Language.allCases {
      let error = #expect(throws: CofferError.self) { try code(name, language) }
      #expect(error?.detail.contains("'\(name)'") == true)
      try code("[String: Set<App.Tag>]", language)
    }
  }

  @Test(arguments: [
    ("[String: Int]", "NSObject /* [String: Int] */ *a;", "[String: Int]?"),
    ("App.Tag", "NSObject /* App.Tag */ *a;", "App.Tag?"),
    ("Set<Tag>", "NSObject /* Set<Tag> */ *a;", "Set<Tag>?"),
    ("NSArray<Tag *>", "NSArray<Tag *> *a;", "NSArray?"), ("Tag", "Tag *a;", "Tag?"),
  ])
  func aClassOfAValueIsOneOfTheLanguage(
    _ name: String, _ objectiveC: String, _ swift: String
  ) throws {
    let attribute = AttributeDescription(name: "a", type: .transformable, valueClassName: "\(name)")
    let model = ManagedObjectModel(
      entities: [EntityDescription(name: "A", attributes: [attribute])], source: .file)
    for (language, text) in [
      (ModelCode.Language.objectiveC, "retain) " + objectiveC), (.swift, "var a: " + swift),
      (.swiftData, "var a: " + swift),
    ] { #expect(try ModelCode(model, in: language).text.contains(text + "\n"), "\(language)") }
  }

  @Test func aWordOfCIsNoNameInObjectiveC() throws {
    let error = #expect(throws: CofferError.self) { try ModelCode(Self.rich, in: .objectiveC) }
    #expect(error?.detail.contains("'default'") == true)
    #expect(try ModelCode(Self.rich, in: .swift).text.contains("var `default`: String?"))
  }

  // MARK: All models at hand

  @Test(.enabled(if: ProcessRunner.find("swiftc") != nil, "needs the compiler of Swift"))
  func swiftParsesTheClassesOfEveryModel() throws {
    let folder = try TemporaryDirectory()
    var files: [String] = []
    for (number, model) in Self.models.enumerated() {
      for language in [ModelCode.Language.swiftData, .swift] {
        let path = folder.file("\(number)\(language).swift")
        let text = try ModelCode(model.model, in: language).text
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        files.append(path)
      }
    }
    let compiler = ProcessRunner(try #require(ProcessRunner.find("swiftc")))
    let result = try compiler.run(["-parse", "-module-name", "Models"] + files)
    #expect(result.status == 0, "\(result.errorOutput.prefix(4000))")
  }

  /// A compiler of the toolchain of Swift, which has one of Objective-C that is not always on the search path.
  private static func compiler(_ name: String) -> String? {
    ProcessRunner.find(name)
      ?? ProcessRunner.find("swiftc").flatMap { swiftc in
        let folder = URL(fileURLWithPath: swiftc).resolvingSymlinksInPath()
          .deletingLastPathComponent()
        let path = folder.appendingPathComponent(name).path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
      }
  }

  @Test(.enabled(if: compiler("clang") != nil, "needs a compiler of Objective-C"))
  func clangTakesTheClassesOfEveryModel() throws {
    let folder = try TemporaryDirectory()
    let headers = folder.file("Headers")
    for name in ["CoreData", "Foundation"] {
      let path = "\(headers)/\(name)"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      let text = name == "CoreData" ? Self.header : ""
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name).h"))
    }
    let clang = ProcessRunner(try #require(Self.compiler("clang")))
    for (number, model) in (Self.models.dropLast() + [("rich", Self.rich("label"))]).enumerated() {
      let path = folder.file("\(number).m")
      let text = try ModelCode(model.model, in: .objectiveC).text
      // Classes of the app or of other frameworks, for transformable values.
      let values = Set(
        model.model.entities.flatMap(\.attributes)
          .filter { $0.type == .transformable || $0.type == .undefined }
          .compactMap { $0.valueClassName.map { "\($0)" } }.filter {
            !Self.header.contains(" \($0) ")
          })
      let classes = values.sorted().map { "@class \($0);\n" }.joined()
      try Data((classes + text).utf8).write(to: URL(fileURLWithPath: path))
      let result = try clang.run([
        "-fsyntax-only", "-x", "objective-c", "-Werror=objc-root-class",
        "-Wno-nullability-completeness", "-isystem",
        headers, path,
      ])
      #expect(result.status == 0, "\(model.name): \(result.errorOutput.prefix(2000))")
    }
  }

  /// What the classes need of Apple's frameworks.
  private static let header = """
    #pragma once
    #define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
    #define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")
    #define NS_SWIFT_NAME(name)
    typedef signed char BOOL;
    typedef unsigned long NSUInteger;
    typedef short int16_t;
    typedef int int32_t;
    typedef long long int64_t;
    __attribute__((objc_root_class)) @interface NSObject @end
    @interface NSString : NSObject @end
    @interface NSConstantString : NSString @end
    @interface NSNumber : NSObject @end
    @interface NSDecimalNumber : NSNumber @end
    @interface NSDate : NSObject @end
    @interface NSData : NSObject @end
    @interface NSUUID : NSObject @end
    @interface NSURL : NSObject @end
    @interface NSIndexSet : NSObject @end
    @interface NSArray<T> : NSObject @end
    @interface NSSet<T> : NSObject @end
    @interface NSOrderedSet<T> : NSObject @end
    @interface NSDictionary<K, V> : NSObject @end
    @interface NSManagedObjectID : NSObject @end
    @interface NSManagedObject : NSObject @end
    @interface NSFetchRequest<T> : NSObject
    + (instancetype)fetchRequestWithEntityName:(NSString *)name;
    @end
    """

  /// A reader that knows nothing but the syntax finds every property, with its type and options.
  @Test func anotherReaderFindsTheModelInTheClasses() throws {
    var count = 0
    for (name, model) in Self.models {
      let found = SwiftDataReader(try ModelCode(model, in: .swiftData).text).classes
      #expect(found.keys.sorted() == model.entities.map { "\($0.name)" }.sorted(), "\(name)")
      for entity in model.entities {
        var expected: [String: SwiftDataReader.Property] = [:]
        for attribute in entity.attributes {
          expected["\(attribute.name)"] = SwiftDataReader.Property(
            isOptional: attribute.isOptional, isList: false,
            isExternal: attribute.allowsExternalBinaryDataStorage && !attribute.isTransient,
            rule: nil)
        }
        for relationship in entity.relationships {
          expected["\(relationship.name)"] = SwiftDataReader.Property(
            isOptional: relationship.isOptional, isList: relationship.isToMany,
            isExternal: false,
            rule: relationship.deleteRule == .nullify ? nil : "\(relationship.deleteRule)")
        }
        count += expected.count
        #expect(found["\(entity.name)"] == expected, "\(name): \(entity.name)")
      }
    }
    #expect(count > 50)
  }
}

/// Reads `@Model` classes line by line.
private struct SwiftDataReader {
  struct Property: Equatable {
    var isOptional: Bool
    var isList: Bool
    var isExternal: Bool
    /// The delete rule, if one is written.
    var rule: String?
  }

  private(set) var classes: [String: [String: Property]] = [:]

  init(_ text: String) {
    var (name, options) = ("", "")
    for line in text.split(separator: "\n").map(String.init) {
      if let match = line.wholeMatch(of: #/ {2}(?:final )?class `?(\w+)`?(?:: `?\w+`?)? \{/#) {
        name = String(match.1)
        classes[name] = [:]
      } else if line.hasPrefix("    @") {
        options = line
      } else if let match = line.wholeMatch(
        of: #/ {4}var `?(\w+)`?: (\[?)[`\w]+\]?(\??)(?: = .*)?/#)
      {
        let rule = options.firstMatch(of: /deleteRule: \.(\w+)/).map { String($0.1) }
        classes[name]?[String(match.1)] = Property(
          isOptional: match.3 == "?", isList: match.2 == "[",
          isExternal: options.contains(".externalStorage"), rule: rule)
        options = ""
      }
    }
  }
}
