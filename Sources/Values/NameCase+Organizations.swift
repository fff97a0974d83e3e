extension NameCase {
  /// Whether a word of an organisation's name is an abbreviation: known as one, letters with points between them,
  /// letters of which none is a vowel, or two or three letters that are no word and nobody's name.
  static func isAbbreviation(_ text: Span<UInt8>, _ word: Range<Int>) -> Bool {
    if text.isAmong(abbreviations, word) { return true }
    if text.isAmong(shortened, word) { return false }
    if isPointed(text, word) { return true }
    var hasVowel = false
    for place in word {
      let byte = ASCII.upper(text[place])
      guard ASCII.isUpper(byte) else { return false }
      hasVowel = hasVowel || vowels.contains(byte)
    }
    guard hasVowel else { return word.count > 1 }
    return (2...3).contains(word.count) && !text.isAmong(shortWords, word)
  }

  /// Whether each letter but the last has a point behind it: P.A. and L.L.C, but not CORP. or 1ST.
  private static func isPointed(_ text: Span<UInt8>, _ word: Range<Int>) -> Bool {
    word.count > 2
      && word.enumerated().allSatisfy { number, place in
        number % 2 == 0 ? ASCII.isUpper(ASCII.upper(text[place])) : text[place] == ASCII.point
      }
  }

  /// Words without a vowel that are no abbreviations of letters.
  private static let shortened: [StaticString] = [
    "LTD", "LTD.", "ST", "ST.", "MT", "MT.", "FT", "FT.", "DR", "DR.", "MR", "MRS", "MS", "LN", "RD", "BLVD",
    "CTR", "CTRS", "HLTH", "SVC", "SVCS", "GRP", "HSP", "MGMT", "MFG", "DRS", "PKWY", "NTL", "BLDG", "CNTR",
    "CNTY",
  ]

  /// Abbreviations that have a vowel and more than three letters, or that are words, too.
  private static let abbreviations: [StaticString] = [
    "LLC", "PLLC", "LLP", "LP", "PC", "PA", "PLC", "PSC", "LC", "PS", "USA", "US", "MRI", "CT", "PET", "EMS",
    "ER", "ICU", "MD", "DO", "DDS", "DMD", "DPM", "OD", "PT", "OT", "ENT", "DME", "HMO", "PPO", "IPA", "ACO",
    "VA", "YMCA", "YWCA", "UPMC", "HCA", "USC", "UCLA", "UCSF", "NYU", "DBA", "II", "III", "IV", "NY",
    "OHSU", "UCSD", "UCHC", "UTMB", "UTSW", "UTHSC", "UAMS", "UNMC", "UMMC", "UVMC", "UVMMC", "UIHC", "UTMC",
    "OSUMC", "OUHSC", "LSUHSC", "VUMC", "VAMC", "VAMHCS", "IUPUI", "IUHP", "MUSC", "MUHA", "AIDS", "APRN",
    "ARNP", "ASHP", "BIDMC", "CHOP", "CHLA", "CHOC", "COPD", "CUIMC", "DHMC", "ECMC", "EMMC", "EMT", "EEG",
    "EKG", "ECG", "EMG", "ESRD", "FQHC", "HIV", "IDD", "IHSS", "IMC", "JHU", "KUMC", "LASIK", "LGBTQ",
    "LICSW", "MAHEC", "MIMA", "NIH", "NICU", "OB", "OBGYN", "OBS", "OMS", "OMFS", "PICU", "PACE", "PACU",
    "PRN", "RUMC", "SIU", "SICU", "SLU", "SUNY", "CUNY", "TAVR", "TIRR", "TMJ", "UCI", "UCD", "UIC", "UHS",
    "UMC", "UNM", "USF", "UTEP", "VNA", "VNS", "WVU",
  ]

  /// Words and names of two and three letters.
  private static let shortWords: [StaticString] = [
    "AL", "AN", "AS", "AT", "BE", "BO", "BY", "CO", "DA", "DE", "DI", "DU", "ED", "EL", "EN", "GO", "HE",
    "HO", "HU", "IF", "IN", "IS", "IT", "JO", "KO", "LA", "LE", "LI", "LO", "LU", "MA", "ME", "MU", "MY",
    "NG", "NO", "OF", "OH", "ON", "OR", "PI", "RE", "SI", "SO", "TO", "TU", "TY", "UP", "WE", "WU", "XU",
    "YE", "YI", "YU", "ZU", "ABE", "ABU", "ACE", "ADA", "ADD", "AGE", "AGO", "AID", "AIM", "AIR", "ALE",
    "ALI", "ALL", "ALM", "ALT", "AMY", "ANA", "AND", "ANN", "ANY", "ARC", "ARE", "ARK", "ARM", "ART", "ASH",
    "ASK", "AUG", "AVA", "AVE", "AWL", "AXE", "BAD", "BAE", "BAG", "BAI", "BAN", "BAO", "BAR", "BAT", "BAY",
    "BEA", "BED", "BEE", "BEL", "BEN", "BET", "BID", "BIG", "BIN", "BIO", "BIT", "BIX", "BOB", "BON", "BOW",
    "BOX", "BOY", "BRO", "BUD", "BUG", "BUS", "BUT", "BUY", "CAB", "CAI", "CAM", "CAN", "CAO", "CAP", "CAR",
    "CAT", "CHA", "CHE", "CHO", "CHU", "COE", "COX", "CRY", "CUB", "CUE", "CUI", "CUP", "CUT", "CUZ", "DAD",
    "DAI", "DAL", "DAM", "DAN", "DAO", "DAR", "DAS", "DAY", "DEB", "DEE", "DEL", "DEN", "DES", "DEV", "DEW",
    "DIM", "DIN", "DIP", "DOE", "DOG", "DON", "DOS", "DOT", "DOW", "DRY", "DUE", "DUG", "DUO", "EAR", "EAT",
    "EDI", "EGG", "EGO", "ELI", "ELK", "ELM", "EMI", "END", "ERA", "ERB", "EVA", "EVE", "EYE", "FAN", "FAR",
    "FAY", "FEE", "FEW", "FIN", "FIR", "FIT", "FIX", "FLO", "FLY", "FOG", "FOR", "FOX", "FUN", "FUR", "GAL",
    "GAP", "GAS", "GAY", "GEE", "GEL", "GEM", "GEN", "GET", "GIL", "GIN", "GOD", "GUM", "GUN", "GUS", "GUY",
    "GYM", "HAL", "HAM", "HAN", "HAS", "HAT", "HAY", "HEN", "HER", "HIM", "HIP", "HIS", "HOT", "HOW", "HUB",
    "HUE", "HUG", "HUI", "HUT", "IAN", "ICE", "ILL", "IMO", "INA", "INK", "INN", "ION", "IRA", "ISA", "ITS",
    "IVY", "JAE", "JAM", "JAN", "JAR", "JAW", "JAY", "JED", "JEN", "JET", "JIM", "JIN", "JOB", "JOE", "JON",
    "JOY", "JUN", "KAI", "KAY", "KEN", "KEY", "KID", "KIM", "KIN", "KIP", "KIT", "LAB", "LAC", "LAI", "LAM",
    "LAN", "LAO", "LAP", "LAS", "LAU", "LAW", "LAY", "LEA", "LED", "LEE", "LEG", "LEO", "LES", "LET", "LEU",
    "LEV", "LEW", "LID", "LIE", "LIM", "LIN", "LIP", "LIU", "LIV", "LIZ", "LOG", "LOS", "LOT", "LOU", "LOW",
    "LUI", "LUM", "LUN", "LUO", "LUX", "LYN", "MAC", "MAE", "MAI", "MAN", "MAO", "MAP", "MAR", "MAT", "MAX",
    "MAY", "MEI", "MEL", "MEN", "MET", "MIA", "MID", "MIN", "MIX", "MOE", "MOM", "MOR", "MOY", "MUD", "NAM",
    "NAN", "NAP", "NET", "NEW", "NIA", "NIU", "NOE", "NOR", "NOT", "NOW", "NUR", "NUT", "OAK", "OAT", "ODD",
    "OFF", "OIL", "OLD", "ONE", "ORA", "ORE", "OUR", "OUT", "OWE", "OWL", "OWN", "PAD", "PAL", "PAM", "PAN",
    "PAT", "PAW", "PAX", "PAY", "PAZ", "PEA", "PEG", "PEN", "PEP", "PET", "PIA", "PIE", "PIG", "PIN", "PIT",
    "PLA", "PLY", "POD", "POE", "POP", "POT", "PRE", "PRO", "PUB", "PUT", "QIN", "QUI", "RAE", "RAI", "RAM",
    "RAN", "RAO", "RAW", "RAY", "RED", "REN", "REX", "RIB", "RIM", "RIO", "RIP", "RIX", "ROB", "ROD", "ROE",
    "ROI", "RON", "ROS", "ROT", "ROW", "ROY", "RUB", "RUE", "RUG", "RUI", "RUM", "RUN", "RUS", "RYE", "SAL",
    "SAM", "SAN", "SAT", "SAW", "SAX", "SAY", "SEA", "SEE", "SET", "SEW", "SHE", "SHU", "SIM", "SIN", "SIP",
    "SIR", "SIT", "SIX", "SKI", "SKY", "SOL", "SON", "SOW", "SPA", "SPY", "STE", "SUE", "SUI", "SUM", "SUN",
    "SUR", "TAD", "TAG", "TAI", "TAL", "TAM", "TAN", "TAO", "TAP", "TAR", "TAX", "TEA", "TED", "TEN", "THE",
    "TIA", "TIE", "TIM", "TIN", "TIP", "TOE", "TOM", "TON", "TOO", "TOP", "TOT", "TOW", "TOY", "TRI", "TRY",
    "TSE", "TUB", "TUG", "TWO", "UNA", "UNI", "URI", "USE", "UTA", "VAL", "VAN", "VAX", "VEE", "VIA", "VIM",
    "VIN", "VON", "VOS", "VOX", "WAI", "WAN", "WAR", "WAX", "WAY", "WEB", "WEI", "WES", "WET", "WHO", "WHY",
    "WIG", "WIN", "WIT", "WON", "WOO", "XIA", "YAM", "YAN", "YAO", "YEE", "YEN", "YEO", "YES", "YET", "YIM",
    "YIN", "YIP", "YOO", "YOU", "YUE", "YUN", "ZAC", "ZEN", "ZEV", "ZHU", "ZIP", "ZOE", "ZOO", "INC", "COR",
    "DER", "DOR", "EST", "ETC", "EXT", "FED", "FEM", "GER", "HON", "HOR", "INT", "LEN", "MED", "NEU", "OPT",
    "ORG", "PED", "PSY", "REG", "REH", "SUP", "SVC", "TEC", "TEL", "VAR", "VET", "CAL", "JAX",
  ]
}
