//! Tests of program knowledge.
