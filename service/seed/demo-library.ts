/** The contents of the demo library: its collections, and the topics of their items. */
export interface DemoCollection {
  name: string;
  podcast?: boolean;
  /** Visible to administrators only. */
  closed?: boolean;
  /** The pattern of item titles: `#` is the number, `@` the topic. */
  title?: string;
  type?: 'video' | 'audio' | 'doc' | 'image';
  /** Separated by semicolons. */
  topics?: string;
  by?: readonly string[];
  tags?: readonly string[];
  inside?: readonly DemoCollection[];
}

const lecture = 'Lecture # – @';

export const DEMO_LIBRARY: readonly DemoCollection[] = [
  {
    name: 'Physics',
    inside: [
      {
        name: 'Optics',
        title: lecture,
        type: 'video',
        by: ['Prof. Miriam Okafor'],
        tags: ['physics', 'optics', 'lecture'],
        topics:
          'Light as a Wave; Reflection and Refraction; Thin Lenses; Optical Instruments; Interference; Diffraction Gratings; Polarisation; Lasers; Holography; Fibre Optics',
      },
      {
        name: 'Quantum Mechanics',
        title: lecture,
        type: 'video',
        by: ['Dr. Jonas Weber', 'Prof. Miriam Okafor'],
        tags: ['physics', 'quantum', 'lecture'],
        topics:
          'The Photoelectric Effect; Wave Functions; The Schrödinger Equation; Potential Wells; Tunnelling; The Harmonic Oscillator; Angular Momentum; The Hydrogen Atom; Spin; Entanglement; Perturbation Theory',
      },
      {
        name: 'Thermodynamics',
        title: lecture,
        type: 'video',
        by: ['Dr. Aiko Tanaka'],
        tags: ['physics', 'heat', 'lecture'],
        topics:
          'Temperature and Heat; The First Law; Ideal Gases; Heat Engines; Entropy; Phase Transitions; Statistical Ensembles',
      },
      {
        name: 'Lab Instructions',
        title: 'Experiment #: @',
        type: 'doc',
        by: ['Physics Teaching Lab'],
        tags: ['physics', 'lab'],
        topics:
          'Pendulum; Focal Lengths; Specific Heat; Oscilloscope Basics; Michelson Interferometer; Radioactive Decay; Hall Effect',
      },
    ],
  },
  {
    name: 'Chemistry',
    inside: [
      {
        name: 'Organic Chemistry',
        title: lecture,
        type: 'video',
        by: ['Prof. Lucía Fernández'],
        tags: ['chemistry', 'lecture'],
        topics:
          'Carbon Bonds; Alkanes and Alkenes; Stereochemistry; Substitution; Aromatic Rings; Carbonyl Compounds; Amines; Polymers; Spectroscopy',
      },
      {
        name: 'Safety Trainings',
        title: 'Safety: @',
        type: 'video',
        by: ['Safety Office'],
        tags: ['safety', 'training'],
        topics:
          'Working under the Fume Hood; Acids and Bases; Fire Extinguishers; Gas Bottles; Waste Disposal; First Aid in the Lab',
      },
    ],
  },
  {
    name: 'Mathematics',
    inside: [
      {
        name: 'Linear Algebra',
        title: lecture,
        type: 'video',
        by: ['Dr. Samuel Adeyemi'],
        tags: ['mathematics', 'lecture'],
        topics:
          'Vector Spaces; Linear Maps; Matrices; Determinants; Eigenvalues; Inner Products; Singular Values; Jordan Form; Dual Spaces',
      },
      {
        name: 'Problem Sheets',
        title: 'Problem Sheet #: @',
        type: 'doc',
        by: ['Dr. Samuel Adeyemi', 'Chen Wei'],
        tags: ['mathematics', 'exercises'],
        topics:
          'Proof by Induction; Sequences; Series; Continuity; Derivatives; Integrals; Metric Spaces; Groups; Rings',
      },
    ],
  },
  {
    name: 'Podcasts',
    inside: [
      {
        name: 'Campus Voices',
        podcast: true,
        title: 'Campus Voices # – @',
        type: 'audio',
        by: ['Campus Radio'],
        tags: ['podcast', 'interview'],
        topics:
          'The New Library Opens; A Day with the Gardeners; Choir Rehearsal; Bike Repair Café; How the Canteen Cooks for 4,000; First Semester Stories; The Night Bus; Translating Poems; Rowing at Dawn; Inside the Clock Tower; Learning to Sign; The Exchange Office; Beekeepers on the Roof',
      },
      {
        name: 'Night at the Observatory',
        podcast: true,
        title: 'Night # – @',
        type: 'audio',
        by: ['Dr. Ingrid Solberg', 'Tomás Herrera'],
        tags: ['podcast', 'astronomy'],
        topics:
          'Opening the Dome; Saturn’s Rings; Variable Stars; The Andromeda Galaxy; Meteor Watch; Dark Skies; Radio Telescopes; Comets; Exoplanets; Lunar Eclipse; Star Clusters',
      },
    ],
  },
  {
    name: 'Events',
    inside: [
      {
        name: 'Open Day',
        title: 'Open Day: @',
        type: 'video',
        by: ['Events Team'],
        tags: ['event', 'open day'],
        topics:
          'Welcome Address; Robotics Demonstration; Chemistry Magic Show; Campus Tour; Student Panel; Planetarium Show; Closing Concert',
      },
      {
        name: 'Guest Lectures',
        title: '@',
        type: 'video',
        by: ['Invited speaker'],
        tags: ['event', 'guest lecture'],
        topics:
          'Cities after the Car; What Whales Remember; The Mathematics of Epidemics; Printing with Light; Archives under Water; Teaching Machines to Listen; A Short History of Zero; Farming on Roofs',
      },
      {
        name: 'Event Photos',
        title: '@',
        type: 'image',
        by: ['Photo Club'],
        tags: ['event', 'photo'],
        topics:
          'Graduation, Main Hall; Graduation, Courtyard; Summer Festival Stage; Summer Festival Crowd; Open Day Entrance; Science Slam Finals; Alumni Dinner; Orchestra on Tour; Winter Ball; Sports Day Relay',
      },
    ],
  },
  {
    name: 'Student Projects',
    inside: [
      {
        name: 'Film Workshop',
        title: '@',
        type: 'video',
        by: ['Film Workshop', 'Leila Haddad', 'Oskar Nilsson'],
        tags: ['student work', 'film'],
        topics:
          'Platform 9, 6 a.m.; Grandmother’s Kitchen; Silence, Please; The Last Typewriter; Paper Boats; Crossing; Neighbours; A Room with Echo',
      },
      {
        name: 'Radio Workshop',
        title: 'Radio play: @',
        type: 'audio',
        by: ['Radio Workshop'],
        tags: ['student work', 'radio'],
        topics: 'The Lighthouse; Signal Lost; Letters from the Ice; Three Rings; The Bell Diver; Weather Report',
      },
    ],
  },
  {
    name: 'Archive',
    inside: [
      {
        name: 'Reel Tapes',
        title: 'Tape #: @',
        type: 'audio',
        by: ['University Archive'],
        tags: ['archive', 'digitised'],
        topics:
          'Inaugural Speech 1964; Student Assembly 1968; Chamber Concert 1971; Oral History: The Workshop; Oral History: The Kitchen; Debate on Energy 1974; Radio Hour 1979; Poetry Evening 1982',
      },
      {
        name: 'Glass Slides',
        title: 'Slide #: @',
        type: 'image',
        by: ['University Archive'],
        tags: ['archive', 'digitised', 'photo'],
        topics:
          'Main Building, 1903; Lecture Hall, 1911; Botanical Garden; Instrument Collection; Expedition Camp; Reading Room; Glassblower; Old Observatory',
      },
    ],
  },
  {
    name: 'Staff Training',
    closed: true,
    title: 'Training: @',
    type: 'video',
    by: ['Media Services'],
    tags: ['training', 'internal'],
    topics:
      'Using the Recording Room; Captions Step by Step; Good Sound in Bad Rooms; Publishing and Scheduling; Rights and Licences',
  },
];
