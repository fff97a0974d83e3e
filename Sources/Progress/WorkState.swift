/// What some work was like at one moment.
public struct WorkState: Sendable, Equatable {
  /// What its tasks are, in the plural: `sources`.
  public var noun: String
  /// How many tasks there are in all; nil where nobody knows.
  public var total: Int?
  /// How many have ended.
  public var ended: Int
  /// The tasks at work, in the order in which they began.
  public var tasks: [TaskState]

  /// A state.
  public init(noun: String = "sources", total: Int? = nil, ended: Int = 0, tasks: [TaskState]) {
    (self.noun, self.total, self.ended, self.tasks) = (noun, total, ended, tasks)
  }

  /// The processes of the server that are at work on any of it.
  public var processes: [Int] { tasks.flatMap { $0.processes + $0.parts.flatMap(\.processes) } }
}

/// What a task was like at one moment.
public struct TaskState: Sendable, Equatable {
  /// Its name: `cms-rvu 2025D`.
  public var name: String
  /// Its number in the ledger; nil where it has none.
  public var run: Int?
  /// Its stages so far; the last is at work.
  public var stages: [StageState]
  /// Which of several steps the last stage, or the task, is at.
  public var step: StepState?
  /// How long it has been at work.
  public var seconds: Double
  /// What is done at once.
  public var parts: [PartState]
  /// The processes of the server that are at work on the task as a whole.
  public var processes: [Int]

  /// A state.
  public init(
    name: String, run: Int? = nil, stages: [StageState] = [], step: StepState? = nil, seconds: Double = 0,
    parts: [PartState] = [], processes: [Int] = []
  ) {
    (self.name, self.run, self.stages, self.step, self.seconds) = (name, run, stages, step, seconds)
    (self.parts, self.processes) = (parts, processes)
  }
}

/// One stage of a task.
public struct StageState: Sendable, Equatable {
  /// Its name: `check`.
  public var name: String
  /// How long it took, or has been at work.
  public var seconds: Double

  /// A state.
  public init(name: String, seconds: Double) { (self.name, self.seconds) = (name, seconds) }
}

/// Which of several steps something is at.
public struct StepState: Sendable, Equatable {
  /// What a step is, in the singular: `statement`.
  public var noun: String
  /// Which is at work, from 1.
  public var number: Int
  /// How many there are.
  public var total: Int

  /// A state.
  public init(_ noun: String, _ number: Int, of total: Int) {
    (self.noun, self.number, self.total) = (noun, number, total)
  }
}

/// How far the server says that one of its statements has come.
public struct StatementState: Sendable, Equatable {
  /// What it is: `CREATE INDEX`.
  public var command: String
  /// What the server is doing for it: `scanning table`.
  public var phase: String
  /// How much of the phase is done, from 0 to 1; nil where the server does not say.
  public var share: Double?

  /// A state.
  public init(command: String, phase: String, share: Double? = nil) {
    (self.command, self.phase, self.share) = (command, phase, share)
  }
}
