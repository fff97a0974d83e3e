# The lists that the page drafts layouts from.
cat > st-anne-2025-11-20.csv << 'END'
Attending,NPI,Dept,Pager #
"EXLEY, ADA, D.O.",1003000126,Cardiology,(203) 555-1000 x12
"ZANE, BO, M.D.",1003000134,Urology,203-555-2000
END
cat > wards-2025-11-20.csv << 'END'
Held by,Ward
Zeta Alpha,East
Omega Beta,West
END
