//! The numbers of all cases of repeats and outcomes, in order. A case that is added here asks for its scenario.

pub(crate) const CASES: [&str; 58] = [
    "I001", "I002", "I003", "I005", "I007", "I008", "I009", "I010", "I013", "I015", "I017", "I018", "I020", "I023",
    "I031", "I032", "I033", "I034", "I035", "I037", "I039", "I041", "I042", "I043", "I044", "I046", "I047", "I050",
    "I051", "I052", "I053", "I054", "I055", "I056", "I060", "I061", "I062", "I064", "I065", "I066", "I070", "I072",
    "I074", "I076", "I078", "I079", "I07C", "I07E", "I07F", "I090", "I091", "I097", "I098", "I099", "I09C", "I09D",
    "I09E", "I09F",
];
