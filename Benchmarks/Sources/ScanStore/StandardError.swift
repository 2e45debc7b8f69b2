#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// Standard error as a stream of text.
struct StandardError: TextOutputStream {
  mutating func write(_ text: String) {
    var text = text
    text.withUTF8 { unsafe _ = systemWrite(2, $0.baseAddress, $0.count) }
  }
}

private func systemWrite(_ file: Int32, _ start: UnsafePointer<UInt8>?, _ count: Int) -> Int {
  unsafe write(file, start, count)
}
