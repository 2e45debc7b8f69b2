internal import CofferKit
internal import CoreDataModel
internal import LibrarySupport
internal import TestSupport
internal import Testing

extension MergePolicyTests {
  @Test(arguments: MergePolicy.allCases) func aDestinationThatTheStoreDeleted(
    _ policy: MergePolicy
  ) throws {
    let (conflicts, state) = try outcome(policy) { store, other in
      store.delete("t")
      other.pairs.insert(["n", "t"])
    }
    #expect(conflicts == ["Tag/p1.tags: this store deleted the destination"])
    switch policy {
    case .error: #expect(state == nil)
    case .mergeByPropertyStoreTrump, .rollback:
      #expect(state?.items["t"] == nil)
      #expect(state?.pairs == [])
    case .mergeByPropertyObjectTrump, .overwrite:
      #expect(state?.items["t"]?.key == 2)
      #expect(state?.pairs == [["n", "t"]])
    }
  }

  @Test(arguments: MergePolicy.allCases) func anObjectComesBackWithItsOwner(
    _ policy: MergePolicy
  ) throws {
    let (conflicts, state) = try outcome(policy) { store, other in
      store.delete("f")
      other.items["n"]?.values["text"] = .string("o")
    }
    #expect(conflicts == ["Note/p1: this store deleted it, and the other one uses it"])
    switch policy {
    case .error: #expect(state == nil)
    case .mergeByPropertyStoreTrump, .rollback: #expect(state?.items.keys.sorted() == ["t"])
    case .mergeByPropertyObjectTrump, .overwrite:
      #expect(state?.items.keys.sorted() == ["f", "n", "t"])
      #expect(state?.lists["f"] == ["n"])
    }
  }

  @Test(arguments: MergePolicy.allCases) func anObjectStaysWithItsOwner(
    _ policy: MergePolicy
  ) throws {
    let (conflicts, state) = try outcome(policy) { store, other in
      other.delete("f")
      store.items["n"]?.values["text"] = .string("s")
    }
    #expect(conflicts == ["Note/p1: the other store deleted it, and this one uses it"])
    switch policy {
    case .error: #expect(state == nil)
    case .mergeByPropertyStoreTrump, .rollback:
      #expect(state?.items.keys.sorted() == ["f", "n", "t"])
      #expect(state?.lists["f"] == ["n"])
    case .mergeByPropertyObjectTrump, .overwrite: #expect(state?.items.keys.sorted() == ["t"])
    }
  }

  @Test(arguments: MergePolicy.allCases) func whatTheStoreDeletedTakesWhatIsNewAlong(
    _ policy: MergePolicy
  ) throws {
    let (conflicts, state) = try outcome(policy) { store, other in
      store.delete("f")
      other.add("new", "Note")
      other.move("new", to: "f")
    }
    let missing = "Folder/p1.folder: this store deleted the destination"
    let falls = "Note/p3: a deletion would also delete it, but it was added since"
    switch policy {
    case .error: #expect(conflicts == [missing, falls])
    case .mergeByPropertyStoreTrump, .rollback:
      #expect(conflicts == [missing, falls])
      #expect(state?.items.keys.sorted() == ["t"])
    case .mergeByPropertyObjectTrump, .overwrite:
      #expect(conflicts == [missing])
      #expect(state?.lists["f"] == ["new"])
    }
  }

  @Test(arguments: MergePolicy.allCases) func aDeletionThatARuleDenies(_ policy: MergePolicy) throws
  {
    let trial = try MergeTrial()
    var base = MergeState()
    base.add("f", "Folder")
    base.add("s", "Shelf")
    var (user, deleter) = (base, base)
    user.link("f", "shelf", to: "s")
    deleter.delete("s")
    let paths = try [base, user, deleter].enumerated().map { try trial.store($1, "State\($0)") }
    for (store, other, isKept) in [
      (paths[1], paths[2], !policy.isOfOther), (paths[2], paths[1], policy.isOfOther),
    ] {
      if isKept, policy != .error {
        let merged = try trial.merged(store, other, base: paths[0], policy)
        #expect(try MergeState(readingFrom: merged.path).items["f"]?.links["shelf"] == "s")
      } else {
        let error = #expect(throws: CofferError.self) {
          try trial.merged(store, other, base: paths[0], policy)
        }
        #expect(error?.code == .mergeConflicts)
        #expect(error?.hint?.contains("No policy") == (policy != .error))
      }
    }
  }
}

extension MergePolicy {
  /// Whether the other store wins.
  fileprivate var isOfOther: Bool { self == .mergeByPropertyObjectTrump || self == .overwrite }
}
