import Reporting
import Testing

/// Metrics in Prometheus' exposition format.
@Suite("Metrics as text")
struct MetricFamilyTests {
  @Test("have their meaning and type before their series, in which nothing breaks a line or ends a label")
  func text() {
    var family = MetricFamily("rivulet_x_bytes", "A \\ and\nmore \"text\".")
    family.add(3, [("pipeline", "a\"b\\c\nd"), ("release", nil)])
    family.add(seconds: 1.2345)
    family.add(seconds: 0.007, [("stage", "é")])
    #expect(
      family.text == #"""
        # HELP rivulet_x_bytes A \\ and\nmore "text".
        # TYPE rivulet_x_bytes gauge
        rivulet_x_bytes{pipeline="a\"b\\c\nd"} 3
        rivulet_x_bytes 1.235
        rivulet_x_bytes{stage="é"} 0.007

        """#)
    #expect(MetricFamily("rivulet_none", "Nothing.").text.isEmpty)
  }
}
