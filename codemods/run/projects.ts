/** The packages of a tree of files. */

/**
 * Tells the folder of the nearest package.json above a file.
 * @param textIn the text of a file; nothing where there is none
 */
export function projectsBy(textIn: (file: string) => string): (file: string) => string {
  return (file) => {
    for (let folder = file; folder !== '';) {
      folder = folder.replace(/[^/]*\/?$/, '');
      if (textIn(`${folder}package.json`) !== '') return folder;
    }
    return '';
  };
}
