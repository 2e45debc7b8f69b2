internal import ArgumentParser

@main struct CofferCommand: ParsableCommand {}
