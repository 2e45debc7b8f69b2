import CofferKit
internal import CoreDataModel
internal import Foundation
// Only the imports of an app.
internal import LibrarySupport
internal import StoreGenerator
internal import Synchronization
internal import TestSupport
import Testing

/// Awaited work: the caller continues meanwhile, can cancel it, and sees its progress.
@Suite struct AsynchronousWorkTests {
  private let folder: TemporaryDirectory
  private let store: String
  private let archive: String

  init() throws {
    let sample = try SampleCopy()
    (folder, store) = (sample.folder, sample.path)
    archive = folder.file("Todo.coffer.tar.gz")
  }

  @Test func progressComesAndEndsWithTheWork() async throws {
    let progress = ProgressStream()
    async let summary = StoreExporter(progress: progress).export(storeAt: store, to: archive)
    var last: WorkProgress?
    for await state in progress { last = state }
    #expect(last?.phase == .writing)
    #expect(try await summary.objectCount == 37)
  }

  @Test func progressEndsWithAnErrorToo() async throws {
    let progress = ProgressStream()
    async let summary = StoreExporter(progress: progress)
      .export(storeAt: folder.file("missing"), to: archive)
    for await _ in progress {}
    do {
      _ = try await summary
      Issue.record("it was exported")
    } catch let error as CofferError {
      #expect(error.code == .notFound)
    }
  }

  /// Blocks the work, on its own thread, until it is released; shows whether the main thread is free.
  private final class Gate: ProgressReporter {
    private let semaphore = DispatchSemaphore(value: 0)
    private let threads = Mutex<Set<Bool>>([])

    var sawMainThread: Bool { threads.withLock { $0.contains(true) } }

    func report(_ progress: WorkProgress) {
      threads.withLock { _ = $0.insert(Thread.isMainThread) }
      if progress.phase == .objects, progress.completed == 0 { semaphore.wait() }
    }

    func open() { for _ in 1...1000 { semaphore.signal() } }
  }

  @MainActor @Test func theMainActorIsFreeMeanwhile() async throws {
    let gate = Gate()
    let (store, archive) = (store, archive)
    let work = Task { try await StoreExporter(progress: gate).export(storeAt: store, to: archive) }
    // The work waits for this: were it done on the main actor, it would wait for ever.
    let opening = Task { @MainActor in gate.open() }
    await opening.value
    #expect(try await work.value.objectCount == 37)
    #expect(!gate.sawMainThread)
  }

  @Test func moreWorkThanProcessorsDoesNotStarveOtherTasks() async throws {
    let count = 2 * ProcessInfo.processInfo.activeProcessorCount + 1
    let gates = (0..<count).map { _ in Gate() }
    let (store, folder) = (store, folder)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for (number, gate) in gates.enumerated() {
        group.addTask {
          try await StoreExporter(progress: gate)
            .export(storeAt: store, to: folder.file("\(number).tar.gz")).objectCount
        }
      }
      // All of them wait; this task must still run.
      await Task.detached { for gate in gates { gate.open() } }.value
      for try await objects in group { #expect(objects == 37) }
    }
  }

  /// Cancels a task when a phase begins.
  private final class Canceller: ProgressReporter {
    private let phase: WorkPhase
    private let task = Mutex<Task<Void, any Error>?>(nil)

    init(at phase: WorkPhase) { self.phase = phase }

    func cancels(_ task: Task<Void, any Error>) { self.task.withLock { $0 = task } }

    func report(_ progress: WorkProgress) {
      guard progress.phase == phase else { return }
      // The task may begin before anybody has told which it is.
      while true {
        if let task = task.withLock({ $0 }) { return task.cancel() }
        sched_yield()
      }
    }
  }

  @Test(arguments: [WorkPhase.opening, .objects, .otherRows, .externalData])
  func aCancelledExportLeavesNothing(_ phase: WorkPhase) async throws {
    let canceller = Canceller(at: phase)
    let (store, archive) = (store, archive)
    let before = try folder.contents()
    let work = Task {
      _ = try await StoreExporter(progress: canceller).export(storeAt: store, to: archive)
    }
    canceller.cancels(work)
    await #expect(throws: CancellationError.self) { try await work.value }
    #expect(try folder.contents() == before)
  }

  @Test(arguments: [WorkPhase.objects, .indexes, .references])
  func aCancelledImportLeavesNothing(_ phase: WorkPhase) async throws {
    try await StoreExporter().export(storeAt: store, to: archive)
    let canceller = Canceller(at: phase)
    let (copy, archive) = (folder.file("Copy.sqlite"), archive)
    let before = try folder.contents()
    let work = Task { _ = try await StoreImporter(progress: canceller).import(archive, to: copy) }
    canceller.cancels(work)
    await #expect(throws: CancellationError.self) { try await work.value }
    #expect(try folder.contents() == before)
  }

  @Test func whatIsCancelledBeforeItBeginsDoesNotBegin() async throws {
    let recorder = ProgressRecorder()
    let (store, archive) = (store, archive)
    let work = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await StoreExporter(progress: recorder).export(storeAt: store, to: archive)
    }
    await #expect(throws: CancellationError.self) { try await work.value }
    #expect(recorder.reports == [])
  }
}
