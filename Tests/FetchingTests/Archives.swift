import Fetching
import Foundation
import Host
import TestSupport

/// A zip of one stored entry, with so many bytes that do not repeat.
func zip(bytes count: Int, seed: UInt8 = 1) -> [UInt8] {
  var state = UInt32(seed)
  let content = (0..<count).map { _ in
    state = state &* 1_664_525 &+ 1_013_904_223
    return UInt8(truncatingIfNeeded: state >> 24)
  }
  func little(_ value: Int, _ bytes: Int) -> [UInt8] { (0..<bytes).map { UInt8(value >> ($0 * 8) & 255) } }
  let name = Array("a.csv".utf8)
  let sizes = little(count, 4) + little(count, 4) + little(name.count, 2)
  let common = little(0, 2) + little(0, 2) + little(0, 4) + little(0, 4) + sizes
  let local: [UInt8] = [0x50, 0x4b, 3, 4] + little(20, 2) + common + little(0, 2) + name + content
  let entry: [UInt8] =
    [0x50, 0x4b, 1, 2] + little(20, 2) + little(20, 2) + common + little(0, 12) + little(0, 4)
  let list = entry + name
  let end: [UInt8] = [0x50, 0x4b, 5, 6] + little(0, 4) + little(1, 2) + little(1, 2) + little(list.count, 4)
  return local + list + end + little(local.count, 4) + little(0, 2)
}

/// A folder for a cache, and what downloads into it.
final class Downloads {
  let scratch: Scratch
  var limits = FetchLimits()
  private(set) var reported: [String] = []

  /// Whatever the environment says of proxies is not meant for servers on loopback.
  private static let isDirect = setenv("no_proxy", "*", 1) == 0

  init() throws {
    guard Downloads.isDirect else { throw Unfit() }
    scratch = try Scratch()
    limits.pause = 0.01
    limits.timeout = 30
  }

  var cache: DownloadCache { DownloadCache(folder: scratch.path + "/cache") }

  func fetcher(of page: WebAddress, at copy: WebAddress? = nil) -> Fetcher {
    Fetcher(cache: cache, mirror: Mirror(of: page, at: copy), limits: limits, agent: "test") {
      self.reported.append($0)
    }
  }

  /// Downloads a file from a server.
  func file(_ server: LoopbackServer, _ path: String = "/a.zip", named name: String = "a.zip") throws
    -> FetchedFile
  {
    guard let address = WebAddress(server.address + path) else { throw Unfit() }
    return try fetcher(of: address).file(at: address, named: name)
  }

  /// The bytes of a file in the cache.
  func bytes(_ file: FetchedFile) throws -> [UInt8] { try Files.read(file.path) }

  /// What is left unfinished in the cache.
  func parts() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: cache.folder).filter { $0.hasSuffix(".part") }
  }
}

/// The test itself cannot be made.
struct Unfit: Error {}
