internal import CoreDataModel
internal import Foundation
internal import POSIX
internal import Testing

@testable internal import CoreDataArchive

/// The place of an archive, and the files next to it.
@Suite struct ContainerPlacementTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func replace(_ path: String) throws {
    let writer = try ArchiveWriter(to: .file(path: path, overwriting: true))
    try writer.add(name: "manifest.json", bytes: [0x7b, 0x7d])
    _ = try writer.finish()
  }

  @Test func whatAKilledWriterHasLeftIsRemovedByTheNextToTheSameFile() throws {
    try write("half".utf8, to: folder(".a.tar.gz.coffer-partial-0123abcd"))
    let others = [
      ".a.tar.gz.coffer-partial-0123abc", ".a.tar.gz.coffer-partial-0123abcd.txt",
      ".b.tar.gz.coffer-partial-0123abcd", ".ba.tar.gz.coffer-partial-0123abcd",
      ".a.tar.gz.coffer-partial-x.coffer-partial-0123abcd",
    ]
    for name in others { try write("other".utf8, to: folder(name)) }
    try replace(folder("a.tar.gz"))
    #expect(try folder.names.sorted() == (others + ["a.tar.gz"]).sorted())
  }

  @Test func whatALivingWriterWritesStays() throws {
    let path = folder("a.tar.gz")
    let first = try ArchiveWriter(to: .file(path: path, overwriting: true))
    try first.add(name: "manifest.json", bytes: [0x7b, 0x7d])
    try replace(path)
    let partial = try #require(first.partialPath)
    #expect(FileManager.default.fileExists(atPath: partial))
    _ = try first.finish()
    #expect(try folder.names == ["a.tar.gz"])
  }

  @Test func aLinkGoesOnLeadingToTheArchive() throws {
    try shell("mkdir place && echo old > place/real && ln -s place/real link", in: folder)
    #expect(throws: CofferError.self) { try ArchiveWriter(to: .file(path: folder("link"))) }
    try replace(folder("link"))
    #expect(try shell("readlink link; ls -A . place", in: folder).hasPrefix("place/real\n"))
    try shell("gzip -t place/real", in: folder)
    #expect(try shell("ls -A place", in: folder) == "real\n")
  }

  @Test func aLinkThatLeadsNowhereIsRefused() throws {
    try shell("ln -s nowhere link", in: folder)
    for overwriting in [false, true] {
      let error = #expect(throws: CofferError.self) {
        try ArchiveWriter(to: .file(path: folder("link"), overwriting: overwriting))
      }
      #expect(error?.code == (overwriting ? .writeFailed : .outputExists))
    }
    #expect(try folder.names == ["link"])
  }

  @Test func linksAndFoldersAreNotTakenForLeftovers() throws {
    try shell(
      """
      echo precious > precious
      ln -s precious .a.coffer-partial-00000000
      mkdir .a.coffer-partial-11111111
      mkfifo .a.coffer-partial-22222222
      """, in: folder)
    try replace(folder("a"))
    #expect(try folder.names.count == 5)
    #expect(try contents(of: folder("precious")).elementsEqual("precious\n".utf8))
  }

  @Test func whatTakesThePlaceOfAPrivateArchiveIsPrivate() throws {
    try shell("umask 077; echo old > a", in: folder)
    try replace(folder("a"))
    #expect(try shell("ls -l a | cut -c1-10", in: folder) == "-rw-------\n")
    try shell("umask 022; echo old > b; chmod 444 b", in: folder)
    try replace(folder("b"))
    #expect(try shell("ls -l b | cut -c1-10", in: folder) == "-rw-r--r--\n")
  }

  @Test func aFileWithoutANameLeavesNothing() throws {
    try write("".utf8, to: folder("coffer-spool-0123abcd"))
    try write("".utf8, to: folder("coffer-spool-mine"))
    let descriptor = try FileNames.createNameless(in: folder.path)
    defer { FileIO.close(descriptor) }
    #expect(try folder.names == ["coffer-spool-mine"])
    let bytes: [UInt8] = [1, 2, 3]
    try unsafe bytes.withUnsafeBytes { try unsafe FileIO.writeAll(descriptor, $0) }
    #expect(FileIO.size(of: descriptor) == 3)
  }
}
