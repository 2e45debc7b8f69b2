internal import CoreDataStore
internal import StoreGenerator
internal import Testing

/// Order keys of ordered relationships.
@Suite struct OrderKeyTests {
  @Test func freshListsBeginAsCoreDataDoes() {
    #expect(OrderKeys.assigned([nil, nil, nil]) == [2048, 3072, 4096])
    #expect(OrderKeys.assigned([]) == [])
  }

  @Test func whatIsInOrderKeepsItsKeys() {
    #expect(OrderKeys.assigned([11, 12, 15]) == [11, 12, 15])
  }

  @Test func newMembersGetKeysBetweenBeforeAndBehind() {
    #expect(OrderKeys.assigned([2048, nil, 3072]) == [2048, 2560, 3072])
    #expect(OrderKeys.assigned([nil, 2048]) == [1024, 2048])
    #expect(OrderKeys.assigned([2048, nil]) == [2048, 3072])
    #expect(OrderKeys.assigned([2048, nil, nil, 3072]) == [2048, 2389, 2730, 3072])
  }

  @Test func aMoveChangesOneKey() {
    #expect(OrderKeys.assigned([4096, 2048, 3072]) == [1024, 2048, 3072])
  }

  @Test func withoutRoomNeighborsMove() {
    #expect(OrderKeys.assigned([5, nil, 6, 7000]) == [5, 2336, 4668, 7000])
    #expect(OrderKeys.assigned([.max, nil]) == [2048, 3072])
  }

  @Test func damagedKeysDoNotOverflow() {
    #expect(OrderKeys.assigned([.min]) == [2048])
    #expect(OrderKeys.assigned([nil, .min, nil]) == [2048, 3072, 4096])
    let far = Int64.max / 4 - 1
    let assigned = OrderKeys.assigned([-far, nil, nil, nil, nil, far])
    #expect(assigned.first == -far)
    #expect(assigned.last == far)
    #expect(zip(assigned, assigned.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func keysAscendWhateverTheyWere() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<500 {
      let keys = (0..<random.below(12)).map { _ in
        random.chance(0.3) ? nil : Int64(random.below(20))
      }
      let assigned = OrderKeys.assigned(keys)
      #expect(assigned.count == keys.count)
      #expect(zip(assigned, assigned.dropFirst()).allSatisfy { $0 < $1 }, "\(keys)")
    }
  }
}
