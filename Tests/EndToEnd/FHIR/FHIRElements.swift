/// The elements of the resources of a directory and of the types that they are made of, as FHIR defines them, in
/// a notation of our own: `name=Type`, with a star where it may repeat. What is in braces in the specification is
/// a type here, named for the way to it. Of an element with several types there is one for each.
enum FHIRElements {
  /// The versions of FHIR.
  enum Version: String, CaseIterable, CustomStringConvertible {
    case r4, r5
    var description: String { rawValue }
  }

  /// An element of a type.
  struct Element {
    /// The type that has it, and its name: `Period.start`.
    let whole: String
    let name: String
    let type: String
    let repeats: Bool
  }

  /// The resources that are read.
  static let resources = [
    "Practitioner", "PractitionerRole", "Organization", "Location", "HealthcareService", "Endpoint",
    "OrganizationAffiliation", "InsurancePlan",
  ]

  /// The elements of each type.
  static func types(of version: Version) -> [String: [Element]] {
    var types = parsed(common)
    types.merge(parsed(version == .r4 ? r4 : r5)) { $1 }
    let resource = parsed(every)["Resource"] ?? []
    for name in resources { types[name] = resource + (types[name] ?? []) }
    return types
  }

  private static func parsed(_ text: String) -> [String: [Element]] {
    var types: [String: [Element]] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      types[String(parts[0])] = parts[1].split(separator: " ").map { item in
        let words = item.split(separator: "=")
        let repeats = words[1].hasSuffix("*")
        return Element(
          whole: "\(parts[0]).\(words[0])", name: String(words[0]),
          type: String(repeats ? words[1].dropLast() : words[1]), repeats: repeats)
      }
    }
    return types
  }

  /// What every resource has.
  private static let every = """
    Resource: meta=Meta implicitRules=uri language=code text=Narrative extension=Extension* modifierExtension=Extension*
    """

  private static let common = """
    Meta: versionId=id lastUpdated=instant source=uri profile=canonical* security=Coding* tag=Coding*
    Narrative: status=code div=xhtml
    Extension: url=uri valueString=string
    Identifier: use=code type=CodeableConcept system=uri value=string period=Period assigner=Assigner
    Assigner: reference=reference type=uri display=string
    Reference: reference=reference type=uri identifier=Identifier display=string
    CodeableConcept: coding=Coding* text=string
    Coding: system=uri version=string code=code display=string userSelected=boolean
    Period: start=dateTime end=dateTime
    HumanName: use=code text=string family=string given=string* prefix=string* suffix=string* period=Period
    ContactPoint: system=code value=string use=code rank=positiveInt period=Period
    Address: use=code type=code text=string line=string* city=string district=string state=string postalCode=string country=string period=Period
    Attachment: contentType=code language=code data=base64Binary url=url size=unsignedInt hash=base64Binary title=string creation=dateTime
    Quantity: value=decimal comparator=code unit=string system=uri code=code
    Money: value=decimal currency=code
    Qualification: identifier=Identifier* code=CodeableConcept period=Period issuer=Reference
    AvailableTime: daysOfWeek=code* allDay=boolean availableStartTime=time availableEndTime=time
    NotAvailable: description=string during=Period
    Availability: availableTime=AvailableTime* notAvailableTime=NotAvailable*
    Contact: purpose=CodeableConcept name=HumanName telecom=ContactPoint* address=Address
    ExtendedContactDetail: purpose=CodeableConcept name=HumanName* telecom=ContactPoint* address=Address organization=Reference period=Period
    VirtualService: channelType=Coding addressUrl=url additionalInfo=url* maxParticipants=positiveInt sessionKey=string
    Position: longitude=decimal latitude=decimal altitude=decimal
    Eligibility: code=CodeableConcept comment=markdown
    Coverage: type=CodeableConcept network=Reference* benefit=Benefit*
    Benefit: type=CodeableConcept requirement=string limit=Limit*
    Limit: value=Quantity code=CodeableConcept
    Plan: identifier=Identifier* type=CodeableConcept coverageArea=Reference* network=Reference* generalCost=GeneralCost* specificCost=SpecificCost*
    GeneralCost: type=CodeableConcept groupSize=positiveInt cost=Money comment=string
    SpecificCost: category=CodeableConcept benefit=CostBenefit*
    CostBenefit: type=CodeableConcept cost=Cost*
    Cost: type=CodeableConcept applicability=CodeableConcept qualifiers=CodeableConcept* value=Quantity
    """

  private static let r4 = """
    Practitioner: identifier=Identifier* active=boolean name=HumanName* telecom=ContactPoint* address=Address* gender=code birthDate=date photo=Attachment* qualification=Qualification* communication=CodeableConcept*
    PractitionerRole: identifier=Identifier* active=boolean period=Period practitioner=Reference organization=Reference code=CodeableConcept* specialty=CodeableConcept* location=Reference* healthcareService=Reference* telecom=ContactPoint* availableTime=AvailableTime* notAvailable=NotAvailable* availabilityExceptions=string endpoint=Reference*
    Organization: identifier=Identifier* active=boolean type=CodeableConcept* name=string alias=string* telecom=ContactPoint* address=Address* partOf=Reference contact=Contact* endpoint=Reference*
    Hours: daysOfWeek=code* allDay=boolean openingTime=time closingTime=time
    Location: identifier=Identifier* status=code operationalStatus=Coding name=string alias=string* description=string mode=code type=CodeableConcept* telecom=ContactPoint* address=Address physicalType=CodeableConcept position=Position managingOrganization=Reference partOf=Reference hoursOfOperation=Hours* availabilityExceptions=string endpoint=Reference*
    HealthcareService: identifier=Identifier* active=boolean providedBy=Reference category=CodeableConcept* type=CodeableConcept* specialty=CodeableConcept* location=Reference* name=string comment=string extraDetails=markdown photo=Attachment telecom=ContactPoint* coverageArea=Reference* serviceProvisionCode=CodeableConcept* eligibility=Eligibility* program=CodeableConcept* characteristic=CodeableConcept* communication=CodeableConcept* referralMethod=CodeableConcept* appointmentRequired=boolean availableTime=AvailableTime* notAvailable=NotAvailable* availabilityExceptions=string endpoint=Reference*
    Endpoint: identifier=Identifier* status=code connectionType=Coding name=string managingOrganization=Reference contact=ContactPoint* period=Period payloadType=CodeableConcept* payloadMimeType=code* address=url header=string*
    OrganizationAffiliation: identifier=Identifier* active=boolean period=Period organization=Reference participatingOrganization=Reference network=Reference* code=CodeableConcept* specialty=CodeableConcept* location=Reference* healthcareService=Reference* telecom=ContactPoint* endpoint=Reference*
    InsurancePlan: identifier=Identifier* status=code type=CodeableConcept* name=string alias=string* period=Period ownedBy=Reference administeredBy=Reference coverageArea=Reference* contact=Contact* endpoint=Reference* network=Reference* coverage=Coverage* plan=Plan*
    """

  private static let r5 = """
    Communication: language=CodeableConcept preferred=boolean
    Payload: type=CodeableConcept* mimeType=code*
    Practitioner: identifier=Identifier* active=boolean name=HumanName* telecom=ContactPoint* gender=code birthDate=date deceasedDateTime=dateTime address=Address* photo=Attachment* qualification=Qualification* communication=Communication*
    PractitionerRole: identifier=Identifier* active=boolean period=Period practitioner=Reference organization=Reference code=CodeableConcept* specialty=CodeableConcept* location=Reference* healthcareService=Reference* contact=ExtendedContactDetail* characteristic=CodeableConcept* communication=CodeableConcept* availability=Availability* endpoint=Reference*
    Organization: identifier=Identifier* active=boolean type=CodeableConcept* name=string alias=string* description=markdown contact=ExtendedContactDetail* partOf=Reference endpoint=Reference* qualification=Qualification*
    Location: identifier=Identifier* status=code operationalStatus=Coding name=string alias=string* description=markdown mode=code type=CodeableConcept* contact=ExtendedContactDetail* address=Address form=CodeableConcept position=Position managingOrganization=Reference partOf=Reference characteristic=CodeableConcept* hoursOfOperation=Availability virtualService=VirtualService* endpoint=Reference*
    HealthcareService: identifier=Identifier* active=boolean providedBy=Reference offeredIn=Reference* category=CodeableConcept* type=CodeableConcept* specialty=CodeableConcept* location=Reference* name=string comment=markdown extraDetails=markdown photo=Attachment contact=ExtendedContactDetail* coverageArea=Reference* serviceProvisionCode=CodeableConcept* eligibility=Eligibility* program=CodeableConcept* characteristic=CodeableConcept* communication=CodeableConcept* referralMethod=CodeableConcept* appointmentRequired=boolean availability=Availability* endpoint=Reference*
    Endpoint: identifier=Identifier* status=code connectionType=CodeableConcept* name=string description=string environmentType=CodeableConcept* managingOrganization=Reference contact=ContactPoint* period=Period payload=Payload* address=url header=string*
    OrganizationAffiliation: identifier=Identifier* active=boolean period=Period organization=Reference participatingOrganization=Reference network=Reference* code=CodeableConcept* specialty=CodeableConcept* location=Reference* healthcareService=Reference* contact=ExtendedContactDetail* endpoint=Reference*
    InsurancePlan: identifier=Identifier* status=code type=CodeableConcept* name=string alias=string* period=Period ownedBy=Reference administeredBy=Reference coverageArea=Reference* contact=ExtendedContactDetail* endpoint=Reference* network=Reference* coverage=Coverage* plan=Plan*
    """
}
