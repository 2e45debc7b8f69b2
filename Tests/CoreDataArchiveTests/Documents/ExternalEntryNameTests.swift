internal import CoreDataArchive
internal import Testing

/// The entry of a file represents a path within the support folder, with any letters.
@Suite struct ExternalEntryNameTests {
  @Test(arguments: [
    ["..", "NAME_ckAssets", "A.fxd"], ["..", ".FILE_ckAssetFiles", "x", "y"],
    ["_EXTERNAL_DATA", "A"],
    ["x", "e\u{301}", "\u{301}"], ["a b", "..x"],
  ])
  func aPathComesBack(_ components: [String]) {
    let entry = ExternalEntryName.entry(for: components)
    let found = ExternalEntryName.components(of: entry)
    #expect(found?.map { Array($0.utf8) } == components.map { Array($0.utf8) })
  }

  /// To Swift a slash with an accent behind it is no slash; to a file system it is one.
  @Test(arguments: ["..%2F\u{301}x", "a%2Fb", "%2E%2E", "%2E", "", "a%00b"])
  func aComponentThatIsNoNameIsRefused(_ component: String) {
    #expect(ExternalEntryName.components(of: "support/" + component) == nil)
    #expect(ExternalEntryName.components(of: "external/" + component) == nil)
    #expect(ExternalEntryName.components(of: "beside/NAME_ckAssets/" + component) == nil)
    #expect(ExternalEntryName.components(of: "beside/" + component + "/x") == nil)
  }
}
