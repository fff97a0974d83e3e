import Glibc

/// The three streams that every program is started with.
public enum StandardStreams {
  /// Opens those that are closed, as `>&-` of a shell has them, in such a way that they still fail when they
  /// are used.
  ///
  /// Otherwise the next file or connection takes the number of such a stream, and what is written for the
  /// user goes into that. To be called before anything is opened.
  public static func fillGaps() {
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      guard fcntl(stream, F_GETFD) < 0, errno == EBADF else { continue }
      // The lowest number that is free is the stream's own.
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
