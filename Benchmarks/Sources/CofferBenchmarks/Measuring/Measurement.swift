/// What one run of a command cost.
struct Measurement: Equatable {
  /// Seconds on the clock, from the start of the first process to the end of the last one.
  var wall: Double
  /// Seconds of processor time, of all processes of a pipeline and of the system for them.
  var processor: Double
  /// The greatest memory of the largest process, in bytes.
  var memory: Double
  /// The bytes of the file that was written, or by which the folder has grown.
  var size: Double
}

/// One of the costs.
enum Cost {
  case wall, processor, memory, size

  /// This cost of a run.
  func of(_ measurement: Measurement) -> Double {
    switch self {
    case .wall: measurement.wall
    case .processor: measurement.processor
    case .memory: measurement.memory
    case .size: measurement.size
    }
  }
}
