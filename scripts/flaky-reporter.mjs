/** Names, at the end of a run, each test that passed only on another try: a retry must not hide what is to be mended. */
export default class FlakyReporter {
  #flaky = [];

  onTestCaseResult(testCase) {
    const { flaky, retryCount } = testCase.diagnostic() ?? {};
    if (flaky)
      this.#flaky.push(`${testCase.module.relativeModuleId} > ${testCase.fullName} (tries: ${retryCount + 1})`);
  }

  onTestRunEnd() {
    if (this.#flaky.length === 0) return;
    console.log(`\n${this.#flaky.length} flaky, to be mended:\n${this.#flaky.map((name) => `  ${name}`).join('\n')}`);
  }
}
