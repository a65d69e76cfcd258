/**
 * The 19 categories of podcast directories with their 91 subcategories. The API has one text for both; its form is not
 * specified, so an unknown value is kept unchanged.
 */
export const PODCAST_CATEGORIES: Readonly<Record<string, readonly string[]>> = {
  Arts: ['Books', 'Design', 'Fashion & Beauty', 'Food', 'Performing Arts', 'Visual Arts'],
  Business: ['Careers', 'Entrepreneurship', 'Investing', 'Management', 'Marketing', 'Non-Profit'],
  Comedy: ['Comedy Interviews', 'Improv', 'Stand-Up'],
  Education: ['Courses', 'How To', 'Language Learning', 'Self-Improvement'],
  Fiction: ['Comedy Fiction', 'Drama', 'Science Fiction'],
  Government: [],
  History: [],
  'Health & Fitness': ['Alternative Health', 'Fitness', 'Medicine', 'Mental Health', 'Nutrition', 'Sexuality'],
  'Kids & Family': ['Education for Kids', 'Parenting', 'Pets & Animals', 'Stories for Kids'],
  Leisure: [
    'Animation & Manga',
    'Automotive',
    'Aviation',
    'Crafts',
    'Games',
    'Hobbies',
    'Home & Garden',
    'Video Games',
  ],
  Music: ['Music Commentary', 'Music History', 'Music Interviews'],
  News: [
    'Business News',
    'Daily News',
    'Entertainment News',
    'News Commentary',
    'Politics',
    'Sports News',
    'Tech News',
  ],
  'Religion & Spirituality': ['Buddhism', 'Christianity', 'Hinduism', 'Islam', 'Judaism', 'Religion', 'Spirituality'],
  Science: [
    'Astronomy',
    'Chemistry',
    'Earth Sciences',
    'Life Sciences',
    'Mathematics',
    'Natural Sciences',
    'Nature',
    'Physics',
    'Social Sciences',
  ],
  'Society & Culture': ['Documentary', 'Personal Journals', 'Philosophy', 'Places & Travel', 'Relationships'],
  Sports: [
    'Baseball',
    'Basketball',
    'Cricket',
    'Fantasy Sports',
    'Football',
    'Golf',
    'Hockey',
    'Rugby',
    'Running',
    'Soccer',
    'Swimming',
    'Tennis',
    'Volleyball',
    'Wilderness',
    'Wrestling',
  ],
  Technology: [],
  'True Crime': [],
  'TV & Film': ['After Shows', 'Film History', 'Film Interviews', 'Film Reviews', 'TV Reviews'],
};

interface PodcastCategory {
  category: string;
  /** null: the category itself. */
  subcategory: string | null;
}

/** All 110 entries, each category before its subcategories. */
export const CATEGORY_ENTRIES: readonly PodcastCategory[] = Object.entries(PODCAST_CATEGORIES).flatMap(
  ([category, subcategories]) => [
    { category, subcategory: null },
    ...subcategories.map((subcategory) => ({ category, subcategory })),
  ],
);

const SEPARATOR = ': ';

/** Returns the text that is sent for an entry. `like`: the stored value, whose separator is kept. */
export function categoryText({ category, subcategory }: PodcastCategory, like: string | null): string {
  return subcategory === null ? category : `${category}${separatorOf(like) ?? SEPARATOR}${subcategory}`;
}

/** Returns the entry of a stored value, however it separates category and subcategory; null when there is none. */
export function readCategory(value: string): PodcastCategory | null {
  const separator = separatorOf(value);
  if (separator === null) {
    return Object.hasOwn(PODCAST_CATEGORIES, value) ? { category: value, subcategory: null } : null;
  }
  const [category = '', subcategory = ''] = value.split(separator);
  return { category, subcategory };
}

const KNOWN_SEPARATORS = [': ', ':', ' > ', '>', ' / ', '/', ' › ', ' - ', '|', ', '];

/** Returns the separator of a value that is a known category with one of its subcategories. */
function separatorOf(value: string | null): string | null {
  for (const separator of value === null ? [] : KNOWN_SEPARATORS) {
    const [category = '', subcategory = '', ...more] = (value ?? '').split(separator);
    const known = Object.hasOwn(PODCAST_CATEGORIES, category) ? (PODCAST_CATEGORIES[category] ?? []) : [];
    if (more.length === 0 && known.includes(subcategory)) return separator;
  }
  return null;
}
