//! The nearest known name, for a name that may be a slip.

/// Asks whether the name most like this one was meant, where there is one.
pub(super) fn did_you_mean<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    const ALIKE: f64 = 0.75;
    let likeness = |k: &&str| strsim::jaro_winkler(name, k);
    let nearest = known.max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(&nearest) > ALIKE).then(|| format!("did you mean `{nearest}`?"))
}
