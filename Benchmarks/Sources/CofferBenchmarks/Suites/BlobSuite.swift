/// A store that is nearly nothing but binary data that does not compress.
struct BlobSuite: Suite {
  let options: Options

  private static let objects = 20_000
  private static let bytes = 311_000_000
  private static let blobBytes = "blob bytes"

  var title: String {
    "A store of \(Self.objects.grouped) objects with about 300 MB of random blobs"
  }

  func measure(_ bench: Workbench) throws -> Samples {
    let store = try bench.makeStore("Blobs.sqlite", objects: Self.objects, blobBytes: Self.bytes)
    let of = StoreCommands(bench: bench, store: store)
    var samples = try bench.run([of.scan, of.export], rounds: options.pairs, warmsUp: true)
    samples.numbers[Self.blobBytes] = Double(try bench.scan(store).blobBytes)
    bench.remove(of)
    return samples
  }

  func rows(_ samples: Samples) -> [Row] {
    let of = StoreCommands(bench: .none, store: "")
    let sizes = samples.values(.size, of: of.export.name)
    let bytes = samples.numbers[Self.blobBytes] ?? 1
    return [
      Row(
        "mostly blobs, archive size of the bytes of the blobs", .atMost(1.02), .percent,
        sizes.map { $0 / bytes }),
      Row(
        "mostly blobs, export, processor time, against a bare scan", .atMost(6), .times,
        samples.ratios(.processor, of.export.name, to: of.scan.name)),
    ]
  }
}
