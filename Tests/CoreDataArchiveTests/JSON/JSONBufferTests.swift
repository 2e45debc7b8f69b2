internal import Testing

@testable internal import CoreDataArchive

/// A buffer that is emptied keeps the memory that is usual, and only that.
@Suite struct JSONBufferTests {
  private func fill(_ buffer: inout JSONBuffer, _ count: Int) {
    for index in 0..<count { buffer.append(UInt8(truncatingIfNeeded: index)) }
  }

  @Test func memoryBeyondWhatIsUsualIsGivenBack() {
    var buffer = JSONBuffer(minimumCapacity: 1000)
    fill(&buffer, 5000)
    #expect(buffer.capacity >= 5000)
    buffer.removeAll(keeping: 1000)
    #expect(buffer.capacity == 1000 && buffer.count == 0)
    fill(&buffer, 1000)
    #expect(buffer.capacity == 1000)
    buffer.removeAll(keeping: 1000)
    fill(&buffer, 3000)
    #expect(buffer.bytes() == (0..<3000).map { UInt8(truncatingIfNeeded: $0) })
    let capacity = buffer.capacity
    buffer.removeAll()
    #expect(buffer.capacity == capacity && buffer.count == 0)
  }
}
