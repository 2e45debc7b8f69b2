internal import Foundation
internal import TestSupport

/// Lines, values and files that no export writes.
extension HostileArchive {
  private static let beginning = "{\"$pk\":900,\"$opt\":1"

  /// Invalid lines.
  static let lines: [HostileArchive] = [
    HostileArchive(
      "a million levels", line: "\(beginning),\"x\":\(String(repeating: "[", count: 1_000_000))",
      "archive-limit", "line-depth"),
    HostileArchive(
      "a million objects",
      line: "\(beginning),\"x\":\(String(repeating: "{\"a\":", count: 1_000_000))", "archive-limit",
      "line-depth"),
    HostileArchive(
      "a number of a megabyte",
      line: "\(beginning),\"color\":\(String(repeating: "9", count: 1 << 20))}"),
    HostileArchive("half a surrogate", line: "\(beginning),\"name\":\"\\udc00\"}"),
    HostileArchive("a doubled attribute", line: "\(beginning),\"name\":\"a\",\"name\":\"b\"}"),
    HostileArchive(
      "a doubled attribute in another order",
      line: "\(beginning),\"name\":\"a\",\"color\":1,\"name\":\"b\"}"),
    HostileArchive(
      "a doubled attribute by an escape", line: "\(beginning),\"name\":\"a\",\"n\\u0061me\":\"b\"}"),
    HostileArchive("a doubled primary key", line: "{\"$pk\":900,\"$opt\":1,\"$pk\":901}"),
    HostileArchive(
      "a doubled group", line: "\(beginning),\"$columns\":{},\"name\":\"a\",\"$pk\":1}"),
    HostileArchive("an unknown tag", line: "\(beginning),\"name\":{\"$file\":\"/etc/passwd\"}}"),
    HostileArchive("no object", line: "[]"), HostileArchive("two objects", line: "\(beginning)}{}"),
    HostileArchive("no key", line: "{\"name\":\"a\"}"),
    HostileArchive(
      "a key that is a text", line: "{\"$pk\":{\"$text\":\"1; DROP TABLE ZTAGENTITY\"}}",
      "damaged-archive", "line "),
    HostileArchive("bytes before the blobs", line: "\(beginning),\"name\":{\"$blob\":[-1,1]}}"),
    HostileArchive("bytes behind the blobs", line: "\(beginning),\"name\":{\"$blob\":[0,1]}}"),
    HostileArchive(
      "bytes beyond all numbers",
      line: "\(beginning),\"name\":{\"$blob\":[9223372036854775807,9223372036854775807]}}"),
    HostileArchive(
      "a negative count", line: "\(beginning),\"name\":{\"$blob\":[0,-9223372036854775808]}}"),
    HostileArchive(
      "a value of a terabyte that is not there",
      line: "\(beginning),\"name\":{\"$blob\":[\"value-0\",1099511627776]}}",
      "damaged-archive", "00000.value-0"),
    HostileArchive(
      "a value of all bytes there are",
      line: "\(beginning),\"name\":{\"$blob\":[\"value-0\",9223372036854775807]}}",
      "damaged-archive", "00000.value-0"),
    HostileArchive(
      "a value in another folder",
      line: "\(beginning),\"name\":{\"$blob\":[\"../../external/x\",5]}}", "damaged-archive",
      "line "),
    HostileArchive("two values that are one entry", "damaged-archive", "00000.value-0") { archive in
      try archive.changeLines(of: tags) {
        $0.append(
          "\(beginning),\"color\":{\"$blob\":[\"value-0\",3]},\"name\":{\"$blob\":[\"value-0\",3]}}"
        )
      }
      let position = try archive.position(of: tags)
      try archive.insert(.init("entities/TagEntity/00000.value-0", text: "abc"), at: position + 1)
    },
    HostileArchive("a value that is smaller than it says", "damaged-archive", "00000.value-0") {
      archive in
      try archive.changeLines(of: tags) {
        $0.append("\(beginning),\"name\":{\"$blob\":[\"value-0\",1099511627776]}}")
      }
      let position = try archive.position(of: tags)
      try archive.insert(.init("entities/TagEntity/00000.value-0", text: "abc"), at: position + 1)
    },
    HostileArchive(
      "an external reference to a path",
      line: "\(beginning),\"name\":{\"$external\":\"../../../../../../../../../etc/passwd\"}}"),
    HostileArchive("invalid UTF-8", "damaged-archive", "line ") { archive in
      let position = try archive.position(of: tags)
      archive.entries[position].bytes +=
        Array("\(beginning),\"name\":\"".utf8) + [0xc0, 0xaf] + Array("\"}\n".utf8)
    },
  ]

  /// Names of files that lead out of their folder, or are no names.
  static let files: [HostileArchive] =
    [
      "external/..", "support/../x", "external/../../x", "/etc/passwd", "external//x", "support/",
      "external/%2E%2E", "external/%2e%2e", "support/a%2Fb", "support/%2E%2E/Copy.sqlite",
      "support/a%00b", "external/a/b", "support/_EXTERNAL_DATA/X", "support/%41", "support/.",
      "support/a%", "external/\(String(repeating: "n", count: 256))", "support/a\\b",
      "beside/x", "beside/NAME_ckAssets", "beside/NAME_ckAssets/", "beside/NAME_photos/x",
      "beside/%2E%2E/x", "beside/Trips_ckAssets/x", "beside/NAME_ckAssets/../x",
      "beside/NAME_ckAssets/%2E%2E/x", "beside/%2E%2ENAME_ckAssets/x", "beside/name_ckAssets/x",
      "external/a\u{1b}[2J", "external/a\nb", String(repeating: "support/a/", count: 200) + "x",
    ].map { name in
      HostileArchive("the file \(name.prefix(80))") { archive in
        try archive.insert(.init(name, text: "x"), at: archive.entries.count)
      }
    } + [
      HostileArchive("a file in the place of a folder", "write-failed") { archive in
        try archive.insert(.init("support/a", text: "x"), at: archive.entries.count)
        try archive.insert(.init("support/a/b", text: "x"), at: archive.entries.count)
      },
      HostileArchive("a folder in the place of a file", "write-failed") { archive in
        try archive.insert(.init("support/a/b", text: "x"), at: archive.entries.count)
        try archive.insert(.init("support/a", text: "x"), at: archive.entries.count)
      },
      HostileArchive("a file instead of the folder of external data", "write-failed") { archive in
        try archive.insert(.init("support/_EXTERNAL_DATA", text: "x"), at: archive.entries.count)
      },
    ]

  /// An index that contradicts the archive, or itself.
  static let indexes: [HostileArchive] = [
    index(
      "a million levels", "archive-limit", "index-depth", "{",
      "{\"x\":\(String(repeating: "[", count: 1_000_000)),"),
    index(
      "a number of a megabyte", "damaged-archive", "index.json", "\"size\":",
      "\"size\":\(String(repeating: "1", count: 1 << 20))"),
    index(
      "a doubled key", "damaged-archive", "index.json", "{\"name\":", "{\"name\":\"x\",\"name\":"),
    index(
      "a doubled count", "damaged-archive", "index.json", "\"objects\":{",
      "\"objects\":{\"TagEntity\":1,\"TagEntity\":1,"),
    index("a negative offset", "damaged-archive", "", "\"offset\":0", "\"offset\":-1"),
    index(
      "an offset outside of the file", "damaged-archive", "", "\"offset\":0",
      "\"offset\":9007199254740991"),
    index(
      "a size beyond all numbers", "damaged-archive", "", "\"compressed\":",
      "\"compressed\":9223372036854775807"),
    index(
      "an index that lists itself", "damaged-archive", "", "{\"name\":\"manifest.json\"",
      "{\"name\":\"index.json\""),
    index(
      "a name that leads out", "damaged-archive", "", "{\"name\":\"manifest.json\"",
      "{\"name\":\"../manifest.json\""),
    index(
      "half a surrogate", "damaged-archive", "", "{\"name\":\"manifest.json\"",
      "{\"name\":\"\\ud800\""),
    index("a newer version", "newer-format", "", "\"version\":1", "\"version\":2"),
    HostileArchive("a footer that names the index's end") { $0.footerOffset = .max },
    HostileArchive("a footer that names the first entry") { $0.footerOffset = 0 },
    HostileArchive("no index") { $0.indexPositions = [] },
    HostileArchive("an index in the middle") { $0.indexPositions = [3] },
    HostileArchive("an entry twice") { archive in
      archive.entries.append(archive.entries[5])
    },
    HostileArchive("an entry that is missing") { archive in archive.entries.remove(at: 5) },
    HostileArchive("an entry that is not listed") { archive in
      archive.entries.append(.init("external/X", text: "x"))
    },
  ]

  private static func index(
    _ name: String, _ code: String, _ part: String, _ old: String, _ new: String
  ) -> HostileArchive {
    HostileArchive("index: \(name)", code, part) { archive in
      archive.changeIndex = { text in
        guard let range = text.range(of: old) else { return text }
        return text.replacingCharacters(in: range, with: new)
      }
    }
  }
}
