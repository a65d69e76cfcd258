/** The order of names for people, in the language of the system: “Folge 2” comes before “Folge 10”, capitals don't count. */
export const NATURAL_ORDER = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
