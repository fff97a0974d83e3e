import Testing
import Values

@Suite("A name in one field")
struct FullNameTests {
  /// The last, first and middle name, the suffix and the credentials of a field.
  private func parts(_ field: String) -> String {
    NamePart.allCases.filter(\.isPersonal).map { normalised("name(\($0.rawValue))", field) }.map {
      $0 == "blank" ? "" : $0
    }
    .joined(separator: "|")
  }

  private static let names: [(field: String, parts: String)] = [
    // It is taken apart, first name first or last name first.
    ("Dr. Anna B. Smith, MD", "Smith|Anna|B.||MD"), ("Anna Smith", "Smith|Anna|||"),
    ("SMITH, ANNA B", "Smith|Anna|B||"), ("SMITH JR., ANNA", "Smith|Anna||Jr.|"),
    ("Smith, Anna, M.D., Ph.D.", "Smith|Anna|||MD, PhD"), ("Smith, Anna MD", "Smith|Anna|||MD"),
    ("SMITH, Anna", "Smith|Anna|||"), ("Jan van der Voort III", "van der Voort|Jan||III|"),
    ("MARY DE LA CRUZ, APRN", "De la Cruz|Mary|||APRN"), ("Mary St. John, RN", "St. John|Mary|||RN"),
    ("Smith", "Smith||||"), ("Dr. Smith", "Smith||||"), ("JP Morgan", "Morgan|JP|||"),
    ("van der Voort, Jan", "van der Voort|Jan|||"), ("O'BRIEN-MCGEE, pat", "O'Brien-McGee|Pat|||"),
    ("Garcia Lopez, Anna, MD", "Garcia Lopez|Anna|||MD"), ("Anna - Smith", "Smith|Anna|||"),
    ("Anna - Smith, MD", "Smith|Anna|||MD"),
    ("Dr. Smith, Anna", "Smith|Anna|||"), ("Smith, Dr. Anna", "Smith|Anna|||"),
    ("Smith, Anna, B., MD", "Smith|Anna|B.||MD"), ("Dr. ANN LEE", "Lee|Ann|||"),
    ("LEE, ANN, PhD", "Lee|Ann|||PhD"), (",", "||||"), (" ", "||||"),
    // It keeps an initial that is a particle, a number or a link elsewhere.
    ("ANNA Y WU", "Wu|Anna|Y||"), ("ANNA V LOPEZ", "Lopez|Anna|V||"), ("Anna E. Smith", "Smith|Anna|E.||"),
    ("LOPEZ, ANNA V", "Lopez|Anna|V||"), ("LOPEZ V, ANNA", "Lopez|Anna||V|"),
    ("JOHN LOPEZ V", "Lopez|John||V|"),
    ("SMITH, I", "Smith|I|||"), ("ANNA B SMITH, R, PA-C", "Smith|Anna|B||R, PA-C"),
    ("Jose Ortega y Gasset", "Ortega y Gasset|Jose|||"), ("JOSE ORTEGA Y GASSET", "Gasset|Jose|Ortega Y||"),
    // It has its suffix found between commas, too.
    ("Smith, Jr., Anna", "Smith|Anna||Jr.|"),
    ("Smith, Jr., Anna, Nurse Practitioner", "Smith|Anna||Jr.|Nurse Practitioner"),
    ("Anna Smith, Jr., MD", "Smith|Anna||Jr.|MD"), ("SMITH, JR ANNA", "Smith|Anna||Jr.|"),
    ("Anna Smith, Jr. MD", "Smith|Anna||Jr.|MD"), ("Anna Smith, V", "Smith|Anna||V|"),
    ("Smith, Junior", "Smith|||Jr.|"), ("Jones III", "Jones|||III|"),
    // It has titles behind its commas, in words or in letters that nobody knows.
    ("Anna Smith, Doctor of Medicine", "Smith|Anna|||Doctor of Medicine"),
    ("SMITH, ANNA, PHYSICIAN ASSISTANT", "Smith|Anna|||PHYSICIAN ASSISTANT"),
    ("Anna Smith, Nurse", "Smith|Anna|||Nurse"),
    ("ANNA SMITH, MEDICAL DOCTOR", "Smith|Anna|||MEDICAL DOCTOR"), ("ANNA SMITH, LRSW", "Smith|Anna|||LRSW"),
    ("ANNA SMITH, M.D.1208", "Smith|Anna|||M.D.1208"), ("Anna Smith, MSSS / LCSW", "Smith|Anna|||MSSS, LCSW"),
    ("Anna Smith; M.D.", "Smith|Anna|||MD"), ("Anna Smith, CRNA/APRN", "Smith|Anna|||CRNA, APRN"),
    ("ANNA SMITH M. D.", "Smith|Anna|||MD"), ("Dr. Smith MD", "Smith||||MD"), ("Smith D.O.", "Smith||||DO"),
    ("Smith, MD, MPH", "Smith||||MD, MPH"), ("Ms. Anna Smith, MS", "Smith|Anna|||MS"),
    // It may have two letters that are a credential elsewhere.
    ("Smith, Jo", "Smith|Jo|||"), ("Smith, Ed, MD", "Smith|Ed|||MD"), ("Smith, Al", "Smith|Al|||"),
    ("Nguyen, Do", "Nguyen|Do|||"), ("NGUYEN, DO, MD", "Nguyen|Do|||MD"), ("Mai, Do H", "Mai|Do|H||"),
    ("Anna Do", "Do|Anna|||"), ("ANNA B DO", "Do|Anna|B||"), ("LIN MA, MD", "Ma|Lin|||MD"),
    ("Yo Yo Ma", "Ma|Yo|Yo||"),
    // In capitals, and as an osteopath's, the letters are the credential.
    ("Anna Smith MA", "Smith|Anna|||MA"), ("SMITH, DO", "Smith||||DO"),
    ("Anna Smith, DO", "Smith|Anna|||DO"),
    // It has a credential of allied professions behind it, or a remark.
    ("Jane Doe COTA", "Doe|Jane|||COTA"), ("DOE, JANE COTA/L", "Doe|Jane|||COTA/L"),
    ("Jane Doe, OTR/L", "Doe|Jane|||OTR/L"), ("JANE DOE OTR/L", "Doe|Jane|||OTR/L"),
    ("Jane Doe RDMS", "Doe|Jane|||RDMS"), ("JANE DOE LCAS-A", "Doe|Jane|||LCAS-A"),
    ("JANE DOE MT-BC", "Doe|Jane|||MT-BC"), ("Jane Doe BCBA-D", "Doe|Jane|||BCBA-D"),
    ("JANE DOE RBT", "Doe|Jane|||RBT"), ("JANE DOE CST", "Doe|Jane|||CST"),
    ("John Smith MD (retired)", "Smith|John|||MD, RETIRED"), ("John Smith (Retired)", "Smith|John|||Retired"),
    ("SMITH (RETIRED), JOHN", "Smith|John|||RETIRED"),
    ("William (Bill) Smith", "Smith|William|(Bill)||"),
    ("Smith, William (Bill) MD", "Smith|William|(Bill)||MD"),
    // It is one of several words without a hyphen's help, or with one between blanks.
    ("KOFI OWUSU - ABROKWA", "Owusu-Abrokwa|Kofi|||"), ("OWUSU - ABROKWA, KOFI", "Owusu-Abrokwa|Kofi|||"),
    ("Owusu- Abrokwa, Kofi, MD", "Owusu-Abrokwa|Kofi|||MD"), ("SEAN O DOHERTY", "O Doherty|Sean|||"),
    ("O DOHERTY, SEAN", "O Doherty|Sean|||"), ("JOHN O SMITH", "Smith|John|O||"),
    ("SEAN O' DOHERTY", "O'Doherty|Sean|||"), ("VAN DO", "Do|Van|||"), ("DO, VAN", "Do|Van|||"),
    ("VAN DO, MD", "Do|Van|||MD"), ("VAN DO MD", "Do|Van|||MD"), ("DO, VAN, MD", "Do|Van|||MD"),
    ("DO, VAN T, DO", "Do|Van|T||DO"), ("Van Do, DO", "Do|Van|||DO"), ("VAN T DO", "Do|Van|T||"),
    // It is somebody's where more than such a word is there.
    ("None, Anna", "None|Anna|||"), ("Anna None", "None|Anna|||"), ("Nan Smith", "Smith|Nan|||"),
    ("Dr. Nan", "Nan||||"), ("Nanette", "Nanette||||"),
  ]

  @Test("is taken apart", arguments: names)
  func takenApart(field: String, expected: String) {
    #expect(parts(field) == expected, "\(field.debugDescription)")
  }

  @Test(
    "is nobody's where it says that nobody is there",
    arguments: [
      "N/A", "n/a", "none", "NONE", "nan", "null", "unknown", "<UNAVAIL>", "-", "--", "...", "TBD", "tba",
      "\u{2014}", "?", "# #",
    ])
  func nobody(field: String) {
    #expect(parts(field) == "||||", "\(field.debugDescription)")
  }
}
