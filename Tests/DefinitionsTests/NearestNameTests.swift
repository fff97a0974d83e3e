import Definitions
import Testing

@Suite("The name somebody probably meant")
struct NearestNameTests {
  private let views = (1...40).map { "mart.view_\($0)" } + ["mart.payment", "api.pay", "mart.payments"]

  @Test("is the one that is near enough, however many there are")
  func near() {
    #expect(
      NearestName.hint("mart.paymnet", among: views, called: "there are") == "did you mean 'mart.payment'?")
  }

  @Test("is else one of the nearest three of many, those first that hold what was said")
  func many() {
    #expect(
      NearestName.hint("payment", among: views, called: "there are")
        == "there are: 'mart.payment', 'mart.payments', 'api.pay' and 40 others")
  }

  @Test("is else one of all, where they are few, and nothing where there are none")
  func few() {
    #expect(NearestName.hint("x", among: ["alpha", "beta"], called: "known") == "known: 'alpha', 'beta'")
    #expect(NearestName.hint("x", among: [String](), called: "known") == nil)
  }
}
