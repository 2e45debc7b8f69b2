internal import Foundation
internal import Testing

/// What an app sees of the library is documented, and has the same form everywhere.
@Suite struct PublicSurfaceTests {
  private static let modules = LayeringTests.library + LayeringTests.published.sorted()

  /// The number of types that an app's developer can be asked to know.
  private static let ceiling = 160

  @Test func everyPublicTypeIsNamedInTheDocumentation() throws {
    let pages = try Repository.files(below: "Sources/CofferKit/CofferKit.docc", ending: ".md")
      .map(Repository.text).joined()
    let types = try Self.publicTypes()
    #expect(types.count > 100)
    for type in types where !type.isNested {
      #expect(
        pages.contains("``\(type.name)``"), "\(type.name) of \(type.path) is in no list of topics")
    }
  }

  @Test func thereAreFewPublicTypes() throws {
    let count = try Self.publicTypes().count
    #expect(count <= Self.ceiling, "\(count) public types: what does no app write or read?")
  }

  /// The public types of the library; a nested one is documented on the page of its type.
  private static func publicTypes() throws -> [(path: String, name: Substring, isNested: Bool)] {
    let declaration =
      /(?m)^( *)(?:@\w+ )*public (?:final |indirect )*(?:struct|enum|class|protocol|actor|typealias) (\w+)/
    return try modules.flatMap { try Repository.files(below: "Sources/\($0)", ending: ".swift") }
      .flatMap { path in
        try Repository.text(path).matches(of: declaration).map { (path, $0.2, !$0.1.isEmpty) }
      }
  }

  @Test func otherModulesHaveNothingPublic() throws {
    for path in try Repository.files(below: "Sources", ending: ".swift") {
      let module = String(path.split(separator: "/")[1])
      // A conformance of a public type to a public protocol has public members.
      let isConformance = path == "Sources/coffer/Options/TypedArguments.swift"
      if Self.modules.contains(module) || isConformance { continue }
      #expect(
        try !Repository.text(path).contains(#/(?m)^ *(?:@\w+ )*(?:public|open) (?!import)/#),
        "\(path)")
    }
  }

  @Test func everyPublicEntryPointIsAwaited() throws {
    var count = 0
    for path in try LayeringTests.library.flatMap({
      try Repository.files(below: "Sources/\($0)", ending: ".swift")
    }) {
      for function in Self.throwingFunctions(in: try Repository.text(path)) {
        count += 1
        #expect(function.isAsynchronous, "\(path): \(function.name)")
      }
    }
    #expect(count >= 20)
  }

  /// The public functions of a text that throw any error.
  private static func throwingFunctions(in text: String) -> [(
    name: Substring, isAsynchronous: Bool
  )] {
    let function =
      /(?m)^  public (?:static )?func (`?\w+`?)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\) (async )?throws(?!\()/
    return text.matches(of: function).map { ($0.1, $0.2 != nil) }
  }
}
