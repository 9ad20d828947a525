"""Say beforehand what reading a file takes, and refuse what does not fit.

Nothing here loads the file. Text is counted through in pieces, unpacked or not, until its end or until it
is too much; Parquet, Arrow and the statistical packages say in their heads how many records they hold, and
of the latter 500 records are read to see what texts are like. The peak of reading is then taken to be

========================  =====================================================================
file                      bytes, for n records of v variables
========================  =====================================================================
text                      3 x text + n (32 v + 80)
text with loose texts     2 x text + n (32 v + 60) + 5 x loose + 60 for each, where that is more
text that needs Python's  3 x text + n (76 v + 100), known once the fast parser gave up
own parser
Parquet                   n (32 v + 60 + 130 d) + 6 x texts as they are unpacked
Arrow                     n (32 v + 60 + 130 d) + 6 x (all as it is unpacked - 12 n v)
SPSS, Stata, SAS          n (56 v + 40 + 130 d + 60 t) + 5 x loose + 60 for each
========================  =====================================================================

Text counts one, two or four bytes per character, as Python does. Loose texts are those of variables most of
whose values differ, d are dates and moments, t are texts. Estimates over measured peaks, of files of 0.3 to 20
million records (Adult, CPS, a sample of tau-Argus and one of FEBRL repeated; numbers, dates, keys and long texts
that differ):

==================  ===============
file                estimate / peak
==================  ===============
text                1.0 to 1.7
Parquet             0.9 to 1.8
Arrow               0.9 to 1.6
SPSS, Stata, XPORT  0.9 to 1.5
==================  ===============

Files of .sas7bdat were not measured. Work may take four fifths of what is left, which covers the lowest of these.
"""
