/// The files of external binary data.
struct ExternalDataSection: HTMLSection {
  let report: StoreReport

  let identifier = "external-data"
  let title = "External data"

  private var data: ExternalDataReport { report.externalData }

  var isEmpty: Bool { data.fileCount == 0 && data.attributes.isEmpty && data.missingCount == 0 }

  func write(to page: inout HTMLText) {
    page.element("p", ["class": "lead"], text: summary)
    attributes(&page)
    largest(&page)
  }

  private var summary: String {
    let files = QuantityText.count(data.fileCount, "file")
    var text =
      data.fileCount == 0
      ? "There are no files. " : "\(files) with \(QuantityText.bytes(data.byteCount)). "
    if data.missingCount > 0 {
      let verb = data.missingCount == 1 ? "refers to a missing file" : "refer to missing files"
      text += "\(QuantityText.count(data.missingCount, "value")) \(verb). "
    }
    if data.orphanedCount > 0 {
      text += "No value refers to \(QuantityText.count(data.orphanedCount, "file")). "
    }
    if data.missingCount == 0, data.orphanedCount == 0, data.fileCount > 0 {
      text += "No file is missing or orphaned."
    }
    return text
  }

  private func attributes(_ page: inout HTMLText) {
    guard !data.attributes.isEmpty else { return }
    DataTable(
      caption: "Attributes that allow external storage",
      columns: [
        ("Attribute", .text), ("In files", .number), ("In rows", .number),
        ("Bytes in rows", .number),
      ],
      rows: data.attributes.map { attribute in
        [
          .name("\(attribute.entityName).\(attribute.name)"),
          DataTable.count(attribute.referenceCount), DataTable.count(attribute.inlineCount),
          DataTable.bytes(attribute.inlineByteCount),
        ]
      }
    ).write(to: &page)
  }

  private func largest(_ page: inout HTMLText) {
    guard !data.largest.isEmpty else { return }
    DataTable(
      caption: "The largest files", columns: [("File", .text), ("Size", .bar)],
      rows: data.largest.map {
        [.name($0.name), DataTable.bytes($0.byteCount, of: data.largest.first?.byteCount ?? 0)]
      }
    ).write(to: &page)
  }
}
