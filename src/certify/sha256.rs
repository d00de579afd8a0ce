//! SHA-256 (FIPS 180-4), to name a file by its content.

/// The first 32 bits of the fractions of the square roots of the first eight primes, and of the cube
/// roots of the first 64.
fn constants() -> ([u32; 8], [u32; 64]) {
    let mut primes = (2u128..).filter(|n| (2..*n).all(|d| n % d != 0));
    let primes: [u128; 64] = std::array::from_fn(|_| primes.next().unwrap_or_default());
    // ⌊root · 2^32⌋ is the integer root of p · 2^64, or of p · 2^96.
    let root = |of: u128, power: u32| {
        let (mut low, mut high) = (0u128, 1u128 << 40);
        while low + 1 < high {
            let middle = (low + high) / 2;
            match middle.checked_pow(power).is_some_and(|p| p <= of) {
                true => low = middle,
                false => high = middle,
            }
        }
        low as u32
    };
    (
        std::array::from_fn(|i| root(primes[i] << 64, 2)),
        std::array::from_fn(|i| root(primes[i] << 96, 3)),
    )
}

/// The hash of these bytes, as 64 hexadecimal digits.
///
/// ```
/// let empty = edgematch::certify::sha256(b"");
/// assert!(empty.starts_with("e3b0c442") && empty.ends_with("7852b855"));
/// ```
pub fn sha256(bytes: &[u8]) -> String {
    const BLOCK: usize = 64;
    let (mut hash, constants) = constants();
    let mut message = bytes.to_vec();
    message.push(0x80);
    let end = (message.len() + 8).next_multiple_of(BLOCK) - 8;
    message.resize(end, 0);
    message.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in message.chunks_exact(BLOCK) {
        mix(&mut hash, &constants, block);
    }
    hash.iter().map(|word| format!("{word:08x}")).collect()
}

fn mix(hash: &mut [u32; 8], constants: &[u32; 64], block: &[u8]) {
    let mut words = [0u32; 64];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes.iter().fold(0, |w, &byte| w << 8 | u32::from(byte));
    }
    for i in 16..64 {
        let (early, late) = (words[i - 15], words[i - 2]);
        let early = early.rotate_right(7) ^ early.rotate_right(18) ^ (early >> 3);
        let late = late.rotate_right(17) ^ late.rotate_right(19) ^ (late >> 10);
        let sum = words[i - 16].wrapping_add(words[i - 7]);
        words[i] = sum.wrapping_add(early).wrapping_add(late);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *hash;
    for (word, constant) in words.iter().zip(constants) {
        let of_e = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let first = h.wrapping_add(of_e).wrapping_add(choice);
        let first = first.wrapping_add(*constant).wrapping_add(*word);
        let of_a = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        let second = of_a.wrapping_add(majority);
        (h, g, f, e) = (g, f, e, d.wrapping_add(first));
        (d, c, b, a) = (c, b, a, first.wrapping_add(second));
    }
    for (word, more) in hash.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_standard_have_their_hashes() {
        let cases = [
            (
                "abc",
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            ),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
        ];
        for (text, hash) in cases {
            assert_eq!(sha256(text.as_bytes()), hash);
        }
    }
}
