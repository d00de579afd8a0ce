//! Dancing links: items, the options that cover them, and the lists of remaining options.
//!
//! Each item has a doubly linked list of the remaining options' members. A removed member keeps its
//! links, so it can be restored in place; removals are undone in reverse order.

/// The colour of a member that covers an item instead of colouring it.
pub(super) const UNCOLOURED: i32 = 0;

/// The temporary colour of a member whose colour equals the colour to which its item is set.
const AGREED: i32 = -1;

/// The item of the spacers between options.
const SPACER: usize = 0;

/// An item to be covered by options.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    /// The maximum number of options that cover it. Ignored for a coloured item, whose options only
    /// have to agree.
    pub copies: u32,
    /// True if the search must cover the item.
    pub must_be_covered: bool,
}

impl Item {
    /// An item that exactly one option covers.
    pub fn once() -> Item {
        Item { copies: 1, must_be_covered: true }
    }

    /// An item that any number of options may set to the same colour.
    pub fn coloured() -> Item {
        Item { copies: 1, must_be_covered: false }
    }
}

#[derive(Debug, Clone, Copy)]
struct Member {
    /// The index of its item, which is also the list head; items count from 1.
    item: u32,
    /// The previous member of the list; in a spacer, the first member of the previous option.
    up: u32,
    /// The next member of the list; in a spacer, the last member of the next option.
    down: u32,
    colour: i32,
}

#[derive(Debug, Clone, Copy)]
struct Header {
    /// The number of remaining options that contain the item.
    options: u32,
    /// The number of further options that may cover it.
    copies: u32,
    /// The next and previous item that must be covered; 0 ends the list.
    next: u32,
    previous: u32,
}

/// Items and options. A place is an index into `members`: that of a list head, which equals the
/// item, or of a member of an option.
#[derive(Debug)]
pub(super) struct Links {
    /// The header of each item, from index 1.
    headers: Vec<Header>,
    /// The list heads of all items, then the options with a spacer before and after each.
    members: Vec<Member>,
    /// The spacer before each option.
    spacers: Vec<u32>,
    updates: u64,
}

impl Links {
    /// Creates items without options.
    pub fn new(items: impl Iterator<Item = Item>) -> Links {
        let mut links =
            Links { headers: Vec::new(), members: Vec::new(), spacers: Vec::new(), updates: 0 };
        let root = Item { copies: 0, must_be_covered: false };
        let mut last = 0;
        for (index, item) in std::iter::once(root).chain(items).enumerate() {
            let own = index as u32;
            links.headers.push(Header {
                options: 0,
                copies: item.copies,
                next: own,
                previous: own,
            });
            links.members.push(Member { item: own, up: own, down: own, colour: UNCOLOURED });
            if item.must_be_covered {
                links.headers[last].next = own;
                links.headers[index].previous = last as u32;
                links.headers[index].next = 0;
                links.headers[0].previous = own;
                last = index;
            }
        }
        links.push_spacer();
        links
    }

    /// Marks the end of the option whose members were added last, and the start of the next one.
    fn push_spacer(&mut self) {
        self.spacers.push(self.members.len() as u32);
        self.members.push(Member { item: SPACER as u32, up: 0, down: 0, colour: UNCOLOURED });
    }

    /// Adds an option that covers the given items, counted from 0 and each at most once, in the
    /// given colours.
    pub fn add_option(&mut self, items: impl Iterator<Item = (usize, i32)>) {
        let before = self.members.len() - 1;
        for (item, colour) in items {
            let own = self.members.len() as u32;
            let header = item as u32 + 1;
            let last = self.members[header as usize].up;
            self.members.push(Member { item: header, up: last, down: header, colour });
            self.members[last as usize].down = own;
            self.members[header as usize].up = own;
            self.headers[header as usize].options += 1;
        }
        self.members[before].down = self.members.len() as u32 - 1;
        self.push_spacer();
        let behind = self.members.len() - 1;
        self.members[behind].up = before as u32 + 1;
    }

    /// The number of members removed from or restored to lists so far.
    pub fn updates(&self) -> u64 {
        self.updates
    }

    /// The item of a place.
    pub fn item_of(&self, place: usize) -> usize {
        self.members[place].item as usize
    }

    /// The index of the option that a member belongs to, in insertion order from 0.
    pub fn option_of(&self, member: usize) -> usize {
        let spacers = self.spacers.partition_point(|&spacer| (spacer as usize) < member);
        spacers - 1
    }

    /// The member after a place in the list of its item; `None` at the end.
    pub fn next_member(&self, place: usize) -> Option<usize> {
        let below = self.members[place].down as usize;
        (below >= self.headers.len()).then_some(below)
    }

    /// The first item with the fewest options among those that must still be covered; `None` if all
    /// are covered.
    pub fn fewest_options(&self) -> Option<usize> {
        let mut fewest = None;
        let mut item = self.headers[0].next as usize;
        while item != 0 {
            let header = &self.headers[item];
            if fewest.is_none_or(|(options, _)| header.options < options) {
                fewest = Some((header.options, item));
                if header.options == 0 {
                    break;
                }
            }
            item = header.next as usize;
        }
        fewest.map(|(_, item)| item)
    }

    /// Removes an item with all its options, and no longer requires it to be covered.
    pub fn cover(&mut self, item: usize) {
        let mut member = self.members[item].down as usize;
        while member != item {
            self.hide(member);
            member = self.members[member].down as usize;
        }
        let Header { next, previous, .. } = self.headers[item];
        self.headers[previous as usize].next = next;
        self.headers[next as usize].previous = previous;
    }

    /// Undoes [`Links::cover`]. All changes must be undone in reverse order.
    pub fn uncover(&mut self, item: usize) {
        let Header { next, previous, .. } = self.headers[item];
        self.headers[previous as usize].next = item as u32;
        self.headers[next as usize].previous = item as u32;
        let mut member = self.members[item].up as usize;
        while member != item {
            self.show(member);
            member = self.members[member].up as usize;
        }
    }

    /// Selects the option of `member`, whose own item must already be covered, and removes all
    /// incompatible options: those that share an item of which no copy is left, and those that give
    /// an item another colour.
    pub fn take(&mut self, member: usize) {
        let mut other = member + 1;
        while other != member {
            let Member { item, up, colour, .. } = self.members[other];
            if item as usize == SPACER {
                other = up as usize;
                continue;
            }
            match colour {
                UNCOLOURED => {
                    let header = &mut self.headers[item as usize];
                    header.copies -= 1;
                    if header.copies == 0 {
                        self.cover(item as usize);
                    }
                }
                AGREED => {}
                _ => self.agree(item as usize, colour),
            }
            other += 1;
        }
    }

    /// Undoes [`Links::take`], before the item of `member` is uncovered.
    pub fn give_back(&mut self, member: usize) {
        let mut other = member - 1;
        while other != member {
            let Member { item, down, colour, .. } = self.members[other];
            if item as usize == SPACER {
                other = down as usize;
                continue;
            }
            match colour {
                UNCOLOURED => {
                    if self.headers[item as usize].copies == 0 {
                        self.uncover(item as usize);
                    }
                    self.headers[item as usize].copies += 1;
                }
                AGREED => {}
                _ => self.disagree(item as usize, colour),
            }
            other -= 1;
        }
    }

    /// Commits an item to a colour (Knuth's *purify*): hides the options that give it another
    /// colour, and marks the others as [`AGREED`] so that they are not filtered again.
    fn agree(&mut self, item: usize, colour: i32) {
        let mut member = self.members[item].down as usize;
        while member != item {
            if self.members[member].colour == colour {
                self.members[member].colour = AGREED;
            } else {
                self.hide(member);
            }
            member = self.members[member].down as usize;
        }
    }

    /// Undoes [`Links::agree`].
    fn disagree(&mut self, item: usize, colour: i32) {
        let mut member = self.members[item].up as usize;
        while member != item {
            if self.members[member].colour == AGREED {
                self.members[member].colour = colour;
            } else {
                self.show(member);
            }
            member = self.members[member].up as usize;
        }
    }

    /// Removes the other members of the option of `member` from their lists; `member` itself stays
    /// in its own. Members marked as [`AGREED`] stay too.
    fn hide(&mut self, member: usize) {
        let mut other = member + 1;
        while other != member {
            let Member { item, up, down, colour } = self.members[other];
            if item as usize == SPACER {
                other = up as usize;
                continue;
            }
            if colour != AGREED {
                self.members[up as usize].down = down;
                self.members[down as usize].up = up;
                self.headers[item as usize].options -= 1;
                self.updates += 1;
            }
            other += 1;
        }
    }

    /// Undoes [`Links::hide`].
    fn show(&mut self, member: usize) {
        let mut other = member - 1;
        while other != member {
            let Member { item, up, down, colour } = self.members[other];
            if item as usize == SPACER {
                other = down as usize;
                continue;
            }
            if colour != AGREED {
                self.members[up as usize].down = other as u32;
                self.members[down as usize].up = other as u32;
                self.headers[item as usize].options += 1;
                self.updates += 1;
            }
            other -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exercise (49) of 7.2.2.1: items p, q, r, and x, y in the colours A and B.
    fn knuths_example() -> Links {
        let items = [Item::once(), Item::once(), Item::once()];
        let colours = [Item::coloured(), Item::coloured()];
        let mut links = Links::new(items.into_iter().chain(colours));
        let [p, q, r] = [0, 1, 2].map(|item| (item, UNCOLOURED));
        let [x_a, x_b, y_a, y_b] = [(3, 1), (3, 2), (4, 1), (4, 2)];
        links.add_option([p, q, (3, 3), y_a].into_iter());
        links.add_option([p, r, x_a, (4, 3)].into_iter());
        links.add_option([p, x_b].into_iter());
        links.add_option([q, x_a].into_iter());
        links.add_option([r, y_b].into_iter());
        links
    }

    /// Two cells and a kind of two tiles, with one option for each cell.
    #[test]
    fn an_item_of_several_copies_is_covered_as_often() {
        for (copies, covers_of) in [(1, 0), (2, 1), (3, 1)] {
            let kind = Item { copies, must_be_covered: false };
            let items = [Item::once(), Item::once(), kind];
            let mut links = Links::new(items.into_iter());
            for cell in [0, 1] {
                links.add_option([(cell, UNCOLOURED), (2, UNCOLOURED)].into_iter());
            }
            let before = format!("{:?} {:?}", links.headers, links.members);
            let mut found = Vec::new();
            covers(&mut links, &mut Vec::new(), &mut found);
            assert_eq!(found.len(), covers_of, "{copies}");
            assert_eq!(format!("{:?} {:?}", links.headers, links.members), before);
        }
    }

    fn covers(links: &mut Links, chosen: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
        let Some(item) = links.fewest_options() else {
            let mut options: Vec<usize> = chosen.iter().map(|&m| links.option_of(m)).collect();
            options.sort();
            found.push(options);
            return;
        };
        links.cover(item);
        let mut place = item;
        while let Some(member) = links.next_member(place) {
            links.take(member);
            chosen.push(member);
            covers(links, chosen, found);
            chosen.pop();
            links.give_back(member);
            place = member;
        }
        links.uncover(item);
    }

    #[test]
    fn the_textbook_example_has_its_one_solution_and_all_links_come_back() {
        let mut links = knuths_example();
        let before = format!("{:?} {:?}", links.headers, links.members);
        let mut found = Vec::new();
        covers(&mut links, &mut Vec::new(), &mut found);
        assert_eq!(found, [[1, 3]]);
        assert_eq!(format!("{:?} {:?}", links.headers, links.members), before);
    }
}
