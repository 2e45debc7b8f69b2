internal import Foundation
internal import TestSupport
internal import Testing

@Suite struct FindCommandTests {
  /// A folder with the sample store, and another store deep below it.
  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox()
    let folder = sandbox.file("AppData/Library")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try SampleStore.write(to: folder + "/default.store")
    return sandbox
  }

  @Test func storesAreListedWithWhatTheyAre() throws {
    let result = try sandbox().coffer("find", ".")
    #expect(result.status == 0)
    #expect(result.errorOutput == "")
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 7)
    #expect(lines.first == "./AppData/Library/default.store")
    #expect(lines[1].contains("entities: "))
    #expect(lines[2].contains("MB") || lines[2].contains("kB"))
    #expect(lines.last?.hasPrefix("2 stores among ") == true)
  }

  @Test func linesOfJSONNameEachStore() throws {
    let result = try sandbox().coffer("find", "AppData", "--json")
    let values = try result.output.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(values.map { $0["type"] as? String } == ["found", "summary"])
    #expect(values.first?["path"] as? String == "AppData/Library/default.store")
    #expect((values.first?["entities"] as? [String])?.isEmpty == false)
    #expect(values.last?["stores"] as? Int == 1)
  }

  @Test func nothingAtThePathIsAnError() throws {
    let result = try sandbox().coffer("find", "none")
    #expect(result.status == 10)
    #expect(result.output == "")
  }

  @Test func aFolderWithoutStoresIsNoError() throws {
    let sandbox = try sandbox()
    let empty = sandbox.file("Empty")
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
    let result = try sandbox.coffer("find", "Empty")
    #expect(result.status == 0)
    #expect(result.output == "0 stores among 0 files\n")
  }

  @Test(arguments: [
    ["export", "AppData", "x.tgz"], ["verify", "AppData"], ["inspect", "AppData"],
    ["compact", "AppData"], ["repair", "AppData"], ["apply", "AppData", "AppData"],
    ["repair", "AppData", "--from", "AppData", "-o", "x.tgz"],
  ])
  func aCommandThatIsGivenAFolderNamesTheStoresInIt(_ arguments: [String]) throws {
    let result = try sandbox().run(arguments)
    #expect(result.status == 10)
    #expect(result.errorOutput.contains("it is a folder"))
    #expect(result.errorOutput.contains("Hint: The folder contains a store: "))
    #expect(result.errorOutput.contains("AppData/Library/default.store\n"))
  }

  @Test(arguments: ["Trips.xcdatamodel", "Trips.xcdatamodel/contents"])
  func aCommandThatIsGivenAModelSaysSo(_ path: String) throws {
    let sandbox = try Sandbox()
    _ = try sandbox.coffer(
      "model", "Todo.sqlite", "--format", "xcdatamodel", "-o", "Trips.xcdatamodel")
    let result = try sandbox.coffer("inspect", path)
    #expect(result.status != 0)
    #expect(
      result.errorOutput.contains(
        "Hint: This is a managed object model. To print it: coffer model "))
  }

  @Test func anExportWithoutTargetProposesOne() throws {
    let sandbox = try sandbox()
    let result = try sandbox.coffer("export", "Todo.sqlite")
    #expect(result.status == 64)
    #expect(result.errorOutput.contains("coffer export Todo.sqlite Todo.coffer.tar.gz"))
    let deep = try sandbox.coffer(
      "export", "AppData/Library/default.store", "--passphrase-file", "x")
    #expect(
      deep.errorOutput.contains(
        "coffer export AppData/Library/default.store default.coffer.tar.gz.age"))
  }
}
