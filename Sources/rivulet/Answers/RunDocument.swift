import Definitions
public import PipelineCore
public import Values

/// A run as scripts rely on it.
extension RunReport: JSONConvertible {
  /// The document of a run after which nothing was refreshed.
  public var json: JSON { json(views: .array([]), refresh: []) }

  /// The document of a run.
  ///
  /// `views`: the document of the views that were refreshed after it.
  /// `refresh`: the stages that this adds to those of the run.
  func json(views: JSON, refresh: [StageReport]) -> JSON {
    [
      "run": run, "pipeline": pipeline, "release": release, "revision": revision, "state": state.rawValue,
      "sources": sources, "missing": missing, "warnings": warnings, "stages": stages + refresh,
      "gates": gates, "merges": merges,
      "rejects": JSON.array(of: rejects.prefix(RejectReason.shownReasons), \.json),
      "differences": differences, "change": change, "views": views, "cross_checks": crossChecks,
      "seconds": JSON.seconds(seconds), "retries": retries,
    ]
  }
}

extension SourceReport: JSONConvertible {
  /// What became of a source's records; numbers are null where it was not read to its end.
  public var json: JSON {
    [
      "file": file, "entry": entry, "source": source, "sha256": known(sha256), "bytes": counted(bytes),
      "layout": known(layout), "encoding": known(encoding), "records_read": counted(read),
      "records_loaded": counted(loaded), "records_rejected": counted(rejected),
      "records_skipped": counted(skipped), "skipped_by": JSON.counts(skippedBy),
      "zeros_restored": JSON.counts(restoredZeros), "targets": JSON.counts(targets), "warnings": warnings,
    ]
  }

  private func counted(_ number: Int) -> Int? { isCounted ? number : nil }
  private func known(_ text: String) -> String? { text.isEmpty ? nil : text }
}

extension StageReport: JSONConvertible {
  /// How long a stage took.
  public var json: JSON {
    [
      "stage": stage, "seconds": seconds.map(JSON.seconds), "records": records,
      "records_per_second": recordsPerSecond,
    ]
  }
}

extension GateReport: JSONConvertible {
  /// What a rule found.
  public var json: JSON {
    [
      "rule": rule, "severity": severity.rawValue, "passed": passed, "found": found, "about": about,
      "accepted": isAccepted,
    ]
  }
}

extension MergeReport: JSONConvertible {
  /// What merging did to a table.
  public var json: JSON {
    [
      "source": source, "target": target, "period_from": period?.from, "period_to": period?.to,
      "inserted": inserted, "updated": updated, "deleted": deleted, "unchanged": unchanged,
    ]
  }
}

extension RejectReason: JSONConvertible {
  /// Why records were refused, with the first of them.
  public var json: JSON {
    [
      "source": source, "entry": entry, "rule": rule, "column": column, "records": records,
      "examples": JSON.array(of: examples) {
        ["file": file, "entry": entry, "line": $0.line, "value": $0.value]
      },
    ]
  }
}
