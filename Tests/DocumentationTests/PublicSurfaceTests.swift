internal import Foundation
internal import Testing

/// What an app sees of the library is documented, and has the same form everywhere.
@Suite struct PublicSurfaceTests {
  private static let modules = LayeringTests.library + LayeringTests.published.sorted()

  @Test func everyPublicTypeIsNamedInTheDocumentation() throws {
    let pages = try Repository.files(below: "Sources/CofferKit/CofferKit.docc", ending: ".md")
      .map(Repository.text).joined()
    let declaration =
      /(?m)^(?:@\w+ )*public (?:final |indirect )*(?:struct|enum|class|protocol|actor|typealias) (\w+)/
    var count = 0
    for module in Self.modules {
      for path in try Repository.files(below: "Sources/\(module)", ending: ".swift") {
        for match in try Repository.text(path).matches(of: declaration) {
          count += 1
          #expect(
            pages.contains("``\(match.1)``"), "\(match.1) of \(path) is in no list of topics")
        }
      }
    }
    #expect(count > 100)
  }

  @Test func otherModulesHaveNothingPublic() throws {
    for path in try Repository.files(below: "Sources", ending: ".swift") {
      let module = String(path.split(separator: "/")[1])
      if Self.modules.contains(module) { continue }
      #expect(
        try !Repository.text(path).contains(#/(?m)^ *(?:@\w+ )*(?:public|open) (?!import)/#),
        "\(path)")
    }
  }

  @Test func everyEntryPointCanBeCalledAndAwaited() throws {
    var called: Set<String> = []
    var awaited: Set<String> = []
    for path in try LayeringTests.library.flatMap({
      try Repository.files(below: "Sources/\($0)", ending: ".swift")
    }) {
      for function in Self.throwingFunctions(in: try Repository.text(path)) {
        if function.isAsynchronous {
          awaited.insert(function.signature)
        } else {
          called.insert(function.signature)
        }
      }
    }
    #expect(called.count >= 20)
    #expect(called == awaited)
  }

  /// The public functions of a text that throw any error, each with its type.
  private static func throwingFunctions(
    in text: String
  ) -> [(signature: String, isAsynchronous: Bool)] {
    let type = /(?m)^(?:public )?(?:final )?(?:struct|enum|extension|class) (\w+)/
    let function =
      /(?m)^  public (?:static )?func (`?\w+`?)\(((?:[^()]|\([^()]*\))*)\) (async )?throws ->/
    let types = text.matches(of: type)
    return text.matches(of: function).compactMap { match in
      guard let owner = types.last(where: { $0.range.lowerBound < match.range.lowerBound }) else {
        return nil
      }
      let arguments = String(match.2)
        .replacing("@escaping ", with: "").replacing("@Sendable ", with: "")
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      return ("\(owner.1).\(match.1)(\(arguments))", match.3 != nil)
    }
  }
}
