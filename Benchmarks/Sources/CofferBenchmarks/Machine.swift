internal import Foundation

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// What the figures were measured on.
enum Machine {
  /// The programs that coffer is compared with.
  static let peers = ["sqlite3", "gzip", "pigz", "zstd", "restic", "borg"]

  /// Where the shell would find a program; nil if nowhere.
  static func path(of program: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// The machine and the versions of all programs, in one line each.
  static func description(_ bench: Workbench) -> [String] {
    let information = ProcessInfo.processInfo
    let memory = Double(information.physicalMemory) / 1_073_741_824
    var lines = [
      "\(information.activeProcessorCount) processors\(model), \(memory.fixed(0)) GiB, "
        + information.operatingSystemVersionString
    ]
    let versions = ([bench.coffer] + peers).map { program in
      let name = URL(fileURLWithPath: program).lastPathComponent
      return "\(name) \(bench.version(of: program))"
    }
    lines.append(versions.joined(separator: "; "))
    if let load, load > 0.3 {
      lines.append(
        "Something else ran at the beginning (load \(load.fixed(1))): the figures mean little.")
    }
    return lines
  }

  /// How many processes wanted a processor in the last minute; nil where that is not known.
  private static var load: Double? {
    var loads: [Double] = [0, 0, 0]
    return systemLoad(&loads) > 0 ? loads[0] : nil
  }

  /// The greatest memory of this program, in bytes.
  ///
  /// Linux counts it for its children too, until the other program has taken the place: what they need
  /// below it is not known.
  static var ownMemory: Double {
    #if canImport(Darwin)
      return 0
    #else
      var usage = rusage()
      _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return Double(usage.ru_maxrss) * 1024
    #endif
  }

  private static var model: String {
    let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
    guard let name = line?.split(separator: ":").last else { return "" }
    return " of \(name.trimmingCharacters(in: .whitespaces))"
  }
}

private func systemLoad(_ loads: inout [Double]) -> Int32 {
  unsafe getloadavg(&loads, Int32(loads.count))
}
