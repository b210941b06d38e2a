//! Names of classes of characters.
//!
//! Upstream: Go, regexp/syntax/perl_groups.go; unicode/tables.go; regexp/syntax/parse.go,
//! `unicodeTable`.

type Ranges = &'static [(char, char)];

const DIGIT: Ranges = &[('0', '9')];
const SPACE: Ranges = &[('\t', '\n'), ('\u{c}', '\r'), (' ', ' ')];
const WORD: Ranges = &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];

/// Returns the class of an escape with a small letter, `d` for `\d`.
pub(super) fn perl(letter: char) -> Option<Ranges> {
    Some(match letter {
        'd' => DIGIT,
        's' => SPACE,
        'w' => WORD,
        _ => return None,
    })
}

/// Returns the class of a name such as `alpha`. All are ASCII.
pub(super) fn posix(name: &str) -> Option<Ranges> {
    Some(match name {
        "alnum" => &[('0', '9'), ('A', 'Z'), ('a', 'z')],
        "alpha" => &[('A', 'Z'), ('a', 'z')],
        "ascii" => &[('\0', '\u{7f}')],
        "blank" => &[('\t', '\t'), (' ', ' ')],
        "cntrl" => &[('\0', '\u{1f}'), ('\u{7f}', '\u{7f}')],
        "digit" => DIGIT,
        "graph" => &[('!', '~')],
        "lower" => &[('a', 'z')],
        "print" => &[(' ', '~')],
        "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        "space" => &[('\t', '\r'), (' ', ' ')],
        "upper" => &[('A', 'Z')],
        "word" => WORD,
        "xdigit" => &[('0', '9'), ('A', 'F'), ('a', 'f')],
        _ => return None,
    })
}

/// A property of Unicode that Go supports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Property {
    /// `Any`, `ASCII`, `Assigned`
    Everything(&'static str),
    /// A general category, by its short name.
    Category(&'static str),
    /// The category of halves of surrogate pairs.
    Surrogates,
    /// A script, by its long name.
    Script(&'static str),
}

impl Property {
    /// Returns the property of a name. Case, spaces, dashes and underscores are ignored.
    pub(super) fn find(name: &str) -> Option<Self> {
        let plain = plain(name);
        match &*plain {
            "any" => return Some(Self::Everything("any")),
            "ascii" => return Some(Self::Everything("ascii")),
            "assigned" => return Some(Self::Everything("assigned")),
            "cs" | "surrogate" => return Some(Self::Surrogates),
            _ => {}
        }
        let category = CATEGORIES
            .iter()
            .find(|(names, _)| names.contains(&&*plain));
        if let Some((_, short)) = category {
            return Some(Self::Category(short));
        }
        let mut scripts = SCRIPTS.split_ascii_whitespace();
        let script = scripts.find(|script| self::plain(script) == plain)?;
        Some(Self::Script(script))
    }
}

fn plain(name: &str) -> String {
    name.chars()
        .filter(|next| !matches!(next, '_' | '-' | ' '))
        .map(|next| next.to_ascii_lowercase())
        .collect()
}

/// The names of each category, and its short name.
pub(super) const CATEGORIES: &[(&[&str], &str)] = &[
    (&["c", "other"], "C"),
    (&["cc", "control", "cntrl"], "Cc"),
    (&["cf", "format"], "Cf"),
    (&["cn", "unassigned"], "Cn"),
    (&["co", "privateuse"], "Co"),
    (&["cs", "surrogate"], "Cs"),
    (&["l", "letter"], "L"),
    (&["lc", "casedletter"], "Lc"),
    (&["ll", "lowercaseletter"], "Ll"),
    (&["lm", "modifierletter"], "Lm"),
    (&["lo", "otherletter"], "Lo"),
    (&["lt", "titlecaseletter"], "Lt"),
    (&["lu", "uppercaseletter"], "Lu"),
    (&["m", "mark", "combiningmark"], "M"),
    (&["mc", "spacingmark"], "Mc"),
    (&["me", "enclosingmark"], "Me"),
    (&["mn", "nonspacingmark"], "Mn"),
    (&["n", "number"], "N"),
    (&["nd", "decimalnumber", "digit"], "Nd"),
    (&["nl", "letternumber"], "Nl"),
    (&["no", "othernumber"], "No"),
    (&["p", "punctuation", "punct"], "P"),
    (&["pc", "connectorpunctuation"], "Pc"),
    (&["pd", "dashpunctuation"], "Pd"),
    (&["pe", "closepunctuation"], "Pe"),
    (&["pf", "finalpunctuation"], "Pf"),
    (&["pi", "initialpunctuation"], "Pi"),
    (&["po", "otherpunctuation"], "Po"),
    (&["ps", "openpunctuation"], "Ps"),
    (&["s", "symbol"], "S"),
    (&["sc", "currencysymbol"], "Sc"),
    (&["sk", "modifiersymbol"], "Sk"),
    (&["sm", "mathsymbol"], "Sm"),
    (&["so", "othersymbol"], "So"),
    (&["z", "separator"], "Z"),
    (&["zl", "lineseparator"], "Zl"),
    (&["zp", "paragraphseparator"], "Zp"),
    (&["zs", "spaceseparator"], "Zs"),
];

/// The long names of all scripts.
const SCRIPTS: &str = "
    Adlam Ahom Anatolian_Hieroglyphs Arabic Armenian Avestan Balinese Bamum Bassa_Vah Batak
    Bengali Bhaiksuki Bopomofo Brahmi Braille Buginese Buhid Canadian_Aboriginal Carian
    Caucasian_Albanian Chakma Cham Cherokee Chorasmian Common Coptic Cuneiform Cypriot
    Cypro_Minoan Cyrillic Deseret Devanagari Dives_Akuru Dogra Duployan Egyptian_Hieroglyphs
    Elbasan Elymaic Ethiopic Georgian Glagolitic Gothic Grantha Greek Gujarati Gunjala_Gondi
    Gurmukhi Han Hangul Hanifi_Rohingya Hanunoo Hatran Hebrew Hiragana Imperial_Aramaic
    Inherited Inscriptional_Pahlavi Inscriptional_Parthian Javanese Kaithi Kannada Katakana Kawi
    Kayah_Li Kharoshthi Khitan_Small_Script Khmer Khojki Khudawadi Lao Latin Lepcha Limbu
    Linear_A Linear_B Lisu Lycian Lydian Mahajani Makasar Malayalam Mandaic Manichaean Marchen
    Masaram_Gondi Medefaidrin Meetei_Mayek Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs
    Miao Modi Mongolian Mro Multani Myanmar Nabataean Nag_Mundari Nandinagari New_Tai_Lue Newa
    Nko Nushu Nyiakeng_Puachue_Hmong Ogham Ol_Chiki Old_Hungarian Old_Italic Old_North_Arabian
    Old_Permic Old_Persian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Oriya Osage
    Osmanya Pahawh_Hmong Palmyrene Pau_Cin_Hau Phags_Pa Phoenician Psalter_Pahlavi Rejang Runic
    Samaritan Saurashtra Sharada Shavian Siddham SignWriting Sinhala Sogdian Sora_Sompeng
    Soyombo Sundanese Syloti_Nagri Syriac Tagalog Tagbanwa Tai_Le Tai_Tham Tai_Viet Takri Tamil
    Tangsa Tangut Telugu Thaana Thai Tibetan Tifinagh Tirhuta Toto Ugaritic Vai Vithkuqi Wancho
    Warang_Citi Yezidi Yi Zanabazar_Square
";
