/** Files of a chart of Helm, by their names: https://helm.sh/docs/topics/charts/. */

/** What its templates read as `.Values.api.url`. */
export const isValues = (file: string): boolean => /(?:^|\/)(?:[\w.-]+[.-])?values\b[\w.-]*\.ya?ml$/.test(file);

export const isChartTemplate = (file: string): boolean => /(?:^|\/)templates\//.test(file);

/** What it defines for its templates. */
export const isChartHelper = (file: string): boolean => isChartTemplate(file) && file.endsWith('.tpl');
